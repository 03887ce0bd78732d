package dev.coppice.store.run;

import dev.coppice.kernel.Demands;
import dev.coppice.kernel.JsonText;
import dev.coppice.kernel.RunId;
import dev.coppice.kernel.RunnerId;
import dev.coppice.kernel.SessionId;
import dev.coppice.run.Holder;
import dev.coppice.run.Lease;
import dev.coppice.run.Result;
import dev.coppice.run.Run;
import dev.coppice.run.RunState;
import dev.coppice.run.Task;
import dev.coppice.store.engine.Lines;
import dev.coppice.store.engine.Row;
import dev.coppice.word.ExecutionMode;
import dev.coppice.word.RunType;

import org.jspecify.annotations.Nullable;

import java.sql.SQLException;
import java.time.Duration;
import java.util.Locale;

/** A run as one row. */
final class RunRow {
    static final String COLUMNS =
            """
            select r.*, s.id as session_id from run r join session s on s.key = r.session
            """;

    private RunRow() {}

    static Run run(Row row) throws SQLException {
        var data = row.textOrNull("result_data");
        return new Run(
                new RunId(row.text("id")),
                new SessionId(row.text("session_id")),
                row.constant(RunType.class, "type"),
                row.constant(ExecutionMode.class, "mode"),
                new Task(
                        row.textOrNull("blueprint"),
                        new JsonText(row.text("definition")),
                        new JsonText(row.text("parameters")),
                        new JsonText(row.text("scope")),
                        row.textOrNull("project_dir"),
                        new Task.Terms(
                                length(row.numberOrNull("silence_ms")),
                                length(row.numberOrNull("lifetime_ms")),
                                row.textOrNull("account"),
                                hooks(row.textOrNull("hooks")))),
                demands(row),
                state(row),
                new Run.Marks(
                        row.instant("queued_at"),
                        row.instantOrNull("claimed_at"),
                        row.instantOrNull("started_at"),
                        row.instantOrNull("ended_at"),
                        row.instant("unmatched_at")),
                new Result(
                        row.textOrNull("result_text"), data == null ? null : new JsonText(data)));
    }

    static Demands demands(Row row) throws SQLException {
        return new Demands(
                row.textOrNull("demand_hostname"),
                row.textOrNull("demand_project_dir"),
                row.textOrNull("demand_executor_profile"),
                row.textOrNull("demand_executor_type"),
                Lines.split(row.text("demand_tags")));
    }

    private static RunState state(Row row) throws SQLException {
        var since = row.instant("since");
        return switch (row.text("state")) {
            case "queued" -> new RunState.Queued(since);
            case "hooked" -> new RunState.Hooked(since);
            case "claimed" -> new RunState.Claimed(lease(row), since);
            case "running" -> new RunState.Running(lease(row), since);
            case "stopping" ->
                    new RunState.Stopping(
                            lease(row), since, row.instant("deadline"), row.text("stop_reason"));
            case "finished" -> new RunState.Finished(since, row.text("reason"), by(row));
            case "failed" -> new RunState.Failed(since, row.text("reason"), by(row));
            case "stopped" -> new RunState.Stopped(since, row.text("reason"), by(row));
            case "timed_out" -> new RunState.TimedOut(since, row.text("reason"), by(row));
            case "lost" -> new RunState.Lost(since, row.text("reason"), by(row));
            case String word -> throw new IllegalStateException("unknown run state " + word);
        };
    }

    private static Lease lease(Row row) throws SQLException {
        var holder = new Holder(new RunnerId(row.text("runner")), row.number("fence"));
        return new Lease(holder, row.instant("lease_until"));
    }

    private static @Nullable Holder by(Row row) throws SQLException {
        var runner = row.textOrNull("runner");
        return runner == null ? null : new Holder(new RunnerId(runner), row.number("fence"));
    }

    private static Task.Hooks hooks(@Nullable String word) {
        return word == null ? Task.Hooks.NONE : Task.Hooks.valueOf(word.toUpperCase(Locale.ROOT));
    }

    private static @Nullable Duration length(@Nullable Long millis) {
        return millis == null ? null : Duration.ofMillis(millis);
    }
}
