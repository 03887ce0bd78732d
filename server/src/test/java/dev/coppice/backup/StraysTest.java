package dev.coppice.backup;

import static dev.coppice.scene.Scene.done;
import static dev.coppice.scene.Scene.named;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.audit.Act;
import dev.coppice.kernel.SessionId;
import dev.coppice.removal.Choices;
import dev.coppice.removal.Removal;
import dev.coppice.removal.RemovalState;
import dev.coppice.removal.RemoveTree;
import dev.coppice.scene.Scene;
import dev.coppice.work.WorkSeen;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/** What a crash leaves on disk goes; what is needed, or not ours, stays. */
class StraysTest {
    @TempDir Path directory;
    private final Scene scene = new Scene();

    private Strays strays() {
        return new Strays(
                scene.store, scene.store.removals(), scene.store.errands(), scene.clock, directory);
    }

    @BeforeEach
    void room() throws IOException {
        Files.createDirectories(directory.resolve("kept/uploads"));
        Files.createDirectories(directory.resolve("kept/err_7"));
    }

    private void file(String name, Duration age) throws IOException {
        var file = Files.writeString(directory.resolve(name), "x");
        Files.setLastModifiedTime(file, FileTime.from(scene.clock.instant().minus(age)));
    }

    private List<String> left() throws IOException {
        try (Stream<Path> all = Files.walk(directory)) {
            return all.filter(Files::isRegularFile)
                    .map(f -> directory.relativize(f).toString())
                    .sorted()
                    .toList();
        }
    }

    @Test
    void what_was_never_finished_goes_when_nobody_writes_it_any_more() throws IOException {
        file("rem_000000000000.1.part", Duration.ofMinutes(11));
        file("rem_000000000001.1.part", Duration.ofMinutes(1));
        file("kept/err_7/a.bundle.part", Duration.ofMinutes(11));
        file("kept/uploads/b.coppice", Duration.ofHours(25));
        file("kept/uploads/c.coppice", Duration.ofHours(1));
        file("mine.txt", Duration.ofDays(100));
        assertThat(strays().takeAway()).isEqualTo(3);
        assertThat(left())
                .containsExactly("kept/uploads/c.coppice", "mine.txt", "rem_000000000001.1.part");
    }

    @Test
    void backups_that_no_removal_remembers_go_but_not_those_of_removals_from_elsewhere()
            throws IOException {
        done(scene.session(named("top")));
        done(scene.stop("top"));
        var asked =
                new RemoveTree.Request(
                        Choices.CAREFUL,
                        new Act.Who("tester", "operator"),
                        "because",
                        null,
                        WorkSeen.NOTHING);
        var removal = done(scene.remove.begin(new SessionId("top"), asked));
        file(removal.id() + "-0000aaaa.coppice", Duration.ZERO);
        assertThat(strays().forgottenBackups()).as("it may still be written").isEmpty();
        while (!(look(removal).state() instanceof RemovalState.Hidden)) {
            if (scene.removalSteps.goOn() == 0) scene.removalSteps.backUp();
        }
        file("rem_ffffffffffff-0000aaaa.coppice", Duration.ofDays(3));
        assertThat(strays().forgottenBackups()).containsExactly(removal.id() + "-0000aaaa.coppice");
        assertThat(strays().takeAway()).isEqualTo(1);
        assertThat(left()).containsExactly("rem_ffffffffffff-0000aaaa.coppice");
    }

    private Removal look(Removal removal) {
        return scene.store.read(() -> scene.store.removals().find(removal.id()).orElseThrow());
    }

    @Test
    void files_of_an_errand_that_nobody_waits_for_go() throws IOException {
        file("kept/err_7/whole.bundle", Duration.ZERO);
        assertThat(strays().takeAway()).isEqualTo(1);
        assertThat(left()).isEmpty();
    }
}
