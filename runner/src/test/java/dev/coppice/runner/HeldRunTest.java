package dev.coppice.runner;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The records of runs that a runner held when it was killed. */
class HeldRunTest {
    @TempDir Path temp;

    /** An empty record, as a power failure leaves it, ended each start of the runner. */
    @ParameterizedTest
    @ValueSource(strings = {"", "{\"run_id\":", "{}", "null", "[]", "7", "{\"run_id\":\"r\"}"})
    void an_unreadable_record_hides_no_other_run(String record) throws IOException {
        var good = new HeldRun("run_2", "s", 7, 100, true);
        good.write(Files.createDirectories(temp.resolve("run_2")));
        var bad = Files.createDirectories(temp.resolve("run_1"));
        Files.writeString(bad.resolve("held.json"), record);
        assertThat(HeldRun.all(temp)).containsExactly(good);
    }
}
