package dev.coppice.backup;

import static dev.coppice.scene.Scene.done;
import static dev.coppice.scene.Scene.named;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.audit.Act;
import dev.coppice.held.NothingLeft;
import dev.coppice.kernel.SessionId;
import dev.coppice.removal.Choices;
import dev.coppice.removal.Removal;
import dev.coppice.removal.RemovalState;
import dev.coppice.removal.RemoveTree;
import dev.coppice.scene.Scene;
import dev.coppice.work.DirectoryTaskId;
import dev.coppice.work.InspectedWork;
import dev.coppice.work.WorkItem;
import dev.coppice.work.Workplace;

import org.junit.jupiter.api.AfterEach;
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

/** Files that a crash left are deleted; needed and unknown files stay. */
class StraysTest {
    @TempDir Path directory;
    private final Scene scene = new Scene();

    private Strays strays(String... backups) {
        return new Strays(
                scene.store,
                scene.store.removals(),
                scene.store.tasks(),
                new NothingLeft(List.of(backups)),
                scene.clock,
                directory);
    }

    private static RemoveTree.Request request() {
        return new RemoveTree.Request(
                Choices.CAREFUL,
                new Act.Who("tester", "operator"),
                "because",
                null,
                InspectedWork.NOTHING);
    }

    @BeforeEach
    void room() throws IOException {
        Files.createDirectories(directory.resolve("preserved/uploads"));
        Files.createDirectories(directory.resolve("preserved/task_7"));
    }

    @AfterEach
    void nothingIsLeft() {
        scene.assertNothingIsLeft();
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
    void unfinished_files_are_deleted_after_a_day() throws IOException {
        file("rem_000000000000.1.part", Duration.ofHours(25));
        file("rem_000000000001.1.part", Duration.ofHours(23));
        file("preserved/uploads/b.coppice", Duration.ofHours(25));
        file("preserved/uploads/c.coppice", Duration.ofHours(25));
        file("preserved/uploads/d.coppice", Duration.ofHours(1));
        file("mine.txt", Duration.ofDays(100));
        assertThat(strays("preserved/uploads/c.coppice").deleteAll()).isEqualTo(2);
        assertThat(left())
                .containsExactly(
                        "mine.txt",
                        "preserved/uploads/c.coppice",
                        "preserved/uploads/d.coppice",
                        "rem_000000000001.1.part");
    }

    @Test
    void backups_that_their_removal_does_not_use_are_deleted_and_unknown_ones_stay()
            throws IOException {
        done(scene.session(named("top")));
        done(scene.stop("top"));
        var removal = done(scene.rules.removeTree.begin(new SessionId("top"), request()));
        file(removal.id() + "-0000aaaa.coppice", Duration.ZERO);
        assertThat(strays().forgottenBackups()).as("it may still be written").isEmpty();
        while (!(look(removal).state() instanceof RemovalState.Hidden)) {
            if (scene.rules.removalSteps.advance() == 0) scene.rules.removalSteps.backUp();
        }
        file("rem_ffffffffffff-0000aaaa.coppice", Duration.ofDays(3));
        assertThat(strays().forgottenBackups()).containsExactly(removal.id() + "-0000aaaa.coppice");
        assertThat(strays().deleteAll()).isEqualTo(1);
        assertThat(left()).containsExactly("rem_ffffffffffff-0000aaaa.coppice");
    }

    private Removal look(Removal removal) {
        return scene.store.read(() -> scene.store.removals().find(removal.id()).orElseThrow());
    }

    /** They may be another coordinator's, or this one's from before its database was restored. */
    @Test
    void files_of_unknown_directory_tasks_are_not_touched() throws IOException {
        file("preserved/task_7/whole.bundle", Duration.ofDays(400));
        file("preserved/task_7/half.bundle.part", Duration.ofDays(400));
        assertThat(strays().deleteAll()).isZero();
        assertThat(left()).hasSize(2);
    }

    @Test
    void unused_files_of_an_ended_directory_task_are_deleted_after_a_day() throws IOException {
        var task = asked();
        Files.createDirectories(directory.resolve("preserved/" + task));
        file("preserved/" + task + "/kept.bundle", Duration.ofDays(3));
        file("preserved/" + task + "/other.bundle", Duration.ofDays(3));
        file("preserved/" + task + "/fresh.bundle", Duration.ofHours(3));
        assertThat(strays().deleteAll()).as("it may still be uploaded").isZero();
        var preserved = new WorkItem.Preserved(null, null, task + "/kept.bundle", "hash", 1);
        var item =
                new WorkItem(
                        "r1",
                        "/work",
                        WorkItem.Kind.PLAIN,
                        List.of("top"),
                        new WorkItem.Counts(0, 1, 0, 0, 0, 1, 0),
                        "f",
                        new WorkItem.Tip(null, null),
                        preserved,
                        List.of(),
                        List.of());
        done(scene.rules.handleTasks.complete(task, List.of(item)));
        assertThat(strays().deleteAll()).isEqualTo(1);
        assertThat(left())
                .containsExactly(
                        "preserved/" + task + "/fresh.bundle",
                        "preserved/" + task + "/kept.bundle");
    }

    private DirectoryTaskId asked() {
        var runner = scene.runner("r1", 1);
        done(scene.session(named("top")));
        done(scene.stop("top"));
        scene.store.write(() -> {
            var made = Workplace.Made.BY_COPPICE;
            var place = new Workplace(new SessionId("top"), "r1", "/work", made, "/runs");
            scene.store.tasks().note(place);
            return place;
        });
        done(scene.rules.removeTree.begin(new SessionId("top"), request()));
        for (int i = 0; i < 20; i++) scene.rules.removalSteps.advance();
        return scene.rules.handleTasks.claim("r1", runner).getFirst().id();
    }
}
