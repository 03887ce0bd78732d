package dev.coppice.system;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.scene.Eventually;
import dev.coppice.scene.InSoak;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;

/** A coordinator that has started makes the class caches, and leaves nothing else of the making. */
class ClassCacheTest {
    @Test
    void a_coordinator_makes_the_caches_and_the_next_starts_from_its_own() throws IOException {
        try (var machine = new Machine()) {
            // A rehearsal ends with a coordinator that is killed; the next one makes the caches.
            var killed = up(machine);
            awaitRehearsal(machine);
            killed.kill();
            Eventually.await(() -> rehearsals(machine).isEmpty(), () -> "" + rehearsals(machine));

            var first = up(machine);
            assertThat(commandLine(first)).doesNotContain("AOTCache");
            Eventually.await(() -> caches(machine).size() == 3, () -> "" + files(machine));
            Eventually.await(() -> left(machine).isEmpty(), () -> "" + left(machine));
            assertThat(machine.run("list", "--json")).doesNotContain("rehearsal");
            first.process().destroy();
            first.awaitExit();

            var second = up(machine);
            assertThat(commandLine(second)).contains("-XX:AOTCache=", "-up.aot");
            assertThat(mapped(second)).contains("-up.aot");
            machine.run("start", "hello", "--agent", "scripted", "-p", "say hello");
            second.process().destroy();
            second.awaitExit();

            var jar = target(machine).resolve("coppice-cli.jar");
            var built = Files.getLastModifiedTime(cache(machine)).toMillis() + 60_000;
            Files.setLastModifiedTime(jar, FileTime.fromMillis(built));
            assertThat(commandLine(up(machine))).as("after another build").doesNotContain(".aot");
        }
    }

    @Test
    @InSoak
    void a_coordinator_that_ends_meanwhile_ends_the_rehearsal() {
        try (var machine = new Machine()) {
            var up = up(machine);
            awaitRehearsal(machine);
            up.process().destroy();
            up.awaitExit();
            assertThat(left(machine)).isEmpty();
            assertThat(rehearsals(machine)).isEmpty();
        }
    }

    /** Makes the caches at normal priority. At the lowest one, other tests would starve it. */
    private static Machine.Program up(Machine machine) {
        var nice = machine.data().resolve("nice");
        try {
            Files.writeString(nice, "#!/bin/sh\nshift 2\nexec \"$@\"\n");
            Files.setPosixFilePermissions(nice, PosixFilePermissions.fromString("rwxr-xr-x"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        var path = machine.data() + ":" + System.getenv("PATH");
        return Machine.ready(machine.launch(Map.of("PATH", path), "up", "--port", "0"));
    }

    private static void awaitRehearsal(Machine machine) {
        var url = machine.data().resolve("rehearsal/url");
        Eventually.await(() -> Files.exists(url), () -> "no rehearsal: " + files(machine));
    }

    private static String commandLine(Machine.Program program) {
        return program.process().info().commandLine().orElse("");
    }

    /** The files that the process has mapped: the JVM ignores a cache that does not fit. */
    private static String mapped(Machine.Program program) throws IOException {
        var pid = Long.toString(program.process().pid());
        return Files.readString(Path.of("/proc", pid, "maps"));
    }

    private static Path target(Machine machine) {
        return machine.data().resolve(Machine.HOME + "/cli/target");
    }

    private static List<String> files(Machine machine) {
        try (var all = Files.list(target(machine))) {
            return all.map(file -> file.getFileName().toString()).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path cache(Machine machine) {
        var found = caches(machine).stream().filter(name -> name.endsWith("-up.aot"));
        return target(machine).resolve(found.findFirst().orElseThrow());
    }

    private static List<String> caches(Machine machine) {
        return files(machine).stream().filter(name -> name.endsWith(".aot")).toList();
    }

    /** Returns the files that exist only while the caches are being made. */
    private static List<String> left(Machine machine) {
        var beside = files(machine).stream().filter(name -> name.contains(".aot."));
        var place = machine.data().resolve("rehearsal");
        return Files.exists(place) ? List.of(place.toString()) : beside.toList();
    }

    private static List<String> rehearsals(Machine machine) {
        var place = machine.data().resolve("rehearsal").toString();
        return ProcessHandle.allProcesses()
                .map(process -> process.info().commandLine().orElse(""))
                .filter(line -> line.contains(place) && !line.contains("AOTMode=create"))
                .toList();
    }
}
