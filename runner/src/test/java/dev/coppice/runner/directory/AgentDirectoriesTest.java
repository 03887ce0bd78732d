package dev.coppice.runner.directory;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.file.Path;

/** The directories of sessions with arbitrary ids. */
class AgentDirectoriesTest {
    @TempDir Path temp;

    @ParameterizedTest
    @ValueSource(strings = {"..", ".", "...", "a/../../b", "/etc", "..:..", "~", "a\nb", "-rf"})
    void no_id_leads_out_of_the_directory(String id) {
        var directories = new AgentDirectories(temp);
        directories.mark();
        var made = directories.of(id, null);
        assertThat(made).isDirectory().hasParent(temp.resolve("work"));
        assertThat(made.toAbsolutePath().normalize()).isEqualTo(made);
        assertThat(directories.output(id)).isDirectory().hasParent(temp.resolve("runs"));
        assertThat(AgentDirectories.isMade(made, id)).isTrue();
        assertThat(AgentDirectories.isMade(temp.resolve("work").resolve(id), id))
                .as("the id taken as a path")
                .isEqualTo(made.equals(temp.resolve("work").resolve(id)));
    }

    @Test
    void different_ids_have_different_directories_and_only_marked_ones_count_as_made() {
        assertThat(AgentDirectories.safe("a.b")).isNotEqualTo(AgentDirectories.safe("a_b"));
        assertThat(AgentDirectories.safe("a.b")).isNotEqualTo(AgentDirectories.safe("a:b"));
        var directories = new AgentDirectories(temp);
        var made = directories.of("kid", null);
        assertThat(AgentDirectories.isMade(made, "kid"))
                .as("without the mark of a runner")
                .isFalse();
        directories.mark();
        assertThat(AgentDirectories.isMade(made, "kid")).isTrue();
        assertThat(AgentDirectories.isMade(made, "other")).isFalse();
        assertThat(AgentDirectories.isMade(temp.resolve("kid"), "kid")).isFalse();
    }
}
