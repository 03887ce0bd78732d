package dev.coppice.store.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.store.schema.Databases;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

/** A claim costs the same however many runs wait, because it reads only the index of lanes. */
class LanePlanTest {
    @TempDir private Path directory;

    @Test
    void lanes_and_their_first_runs_are_found_in_the_index() throws SQLException {
        assertThat(plan(SqlLanes.NEXT.text()))
                .containsExactly(
                        "SEARCH r USING INDEX run_lane (state=? AND aside=? AND <expr>>?)");
        assertThat(plan(SqlLanes.FIRST.text()))
                .contains(
                        "SEARCH r USING INDEX run_lane (state=? AND aside=? AND <expr>=? AND"
                                + " key>?)")
                .noneMatch(step -> step.contains("TEMP B-TREE") || step.contains("SCAN"));
        assertThat(plan(SqlLanes.COUNT.text()))
                .contains(
                        "SEARCH r USING COVERING INDEX run_lane (state=? AND aside=? AND"
                                + " <expr>=?)");
    }

    /** A claim may meet a spent tree again and again, as new runs are queued in it. */
    @Test
    void runs_are_set_aside_and_taken_back_without_reading_others() throws SQLException {
        assertThat(plan(SqlLanes.SET_ASIDE.text()))
                .contains("SEARCH run USING INDEX run_busy (tree=? AND state=? AND aside=?)");
        assertThat(plan(SqlLanes.TAKE_BACK.text()))
                .anyMatch(step -> step.contains("INDEX run_lane (state=? AND aside=?)"));
    }

    /** Each poll asks for them, and the sessions that ever timed out are many. */
    @Test
    void sessions_that_have_just_timed_out_are_found_in_an_index() throws SQLException {
        assertThat(plan(LastRuns.with("timed_out").text()))
                .anyMatch(step -> step.contains("session_timed_out (state=? AND since>?)"));
    }

    private List<String> plan(String sql) throws SQLException {
        var file = directory.resolve("coppice.db");
        Databases.sqlite(file, InstantSource.system(), _ -> {}).close();
        try (var connection = DriverManager.getConnection("jdbc:sqlite:" + file);
                var statement = connection.createStatement();
                var rows = statement.executeQuery("explain query plan " + sql)) {
            var steps = new ArrayList<String>();
            while (rows.next()) steps.add(rows.getString("detail"));
            return steps;
        }
    }
}
