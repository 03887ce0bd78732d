package dev.coppice.runner.unsaved;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.file.Path;

/** The directories of sessions with arbitrary ids. */
class WorkplaceTest {
    @TempDir Path temp;

    @ParameterizedTest
    @ValueSource(strings = {"..", ".", "...", "a/../../b", "/etc", "..:..", "~", "a\nb", "-rf"})
    void no_id_leads_out_of_the_directory(String id) {
        var workplace = new Workplace(temp);
        workplace.mark();
        var made = workplace.of(id, null);
        assertThat(made).isDirectory().hasParent(temp.resolve("work"));
        assertThat(made.toAbsolutePath().normalize()).isEqualTo(made);
        assertThat(workplace.output(id)).isDirectory().hasParent(temp.resolve("runs"));
        assertThat(Workplace.isMade(made, id)).isTrue();
        assertThat(Workplace.isMade(temp.resolve("work").resolve(id), id))
                .as("the id taken as a path")
                .isEqualTo(made.equals(temp.resolve("work").resolve(id)));
    }

    @Test
    void different_ids_have_different_directories_and_only_marked_ones_count_as_made() {
        assertThat(Workplace.safe("a.b")).isNotEqualTo(Workplace.safe("a_b"));
        assertThat(Workplace.safe("a.b")).isNotEqualTo(Workplace.safe("a:b"));
        var workplace = new Workplace(temp);
        var made = workplace.of("kid", null);
        assertThat(Workplace.isMade(made, "kid")).as("without the mark of a runner").isFalse();
        workplace.mark();
        assertThat(Workplace.isMade(made, "kid")).isTrue();
        assertThat(Workplace.isMade(made, "other")).isFalse();
        assertThat(Workplace.isMade(temp.resolve("kid"), "kid")).isFalse();
    }
}
