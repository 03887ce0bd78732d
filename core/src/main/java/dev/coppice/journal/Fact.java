package dev.coppice.journal;

import dev.coppice.kernel.JsonText;

import org.jspecify.annotations.Nullable;

import java.time.Instant;

/**
 * The content of a journal entry. The journal stores it under the name of its record, in snake
 * case, with the record's components; {@link #shown} is the form in lists of events and streams.
 * Stored entries must stay readable: a released record may gain components that can be null, and
 * nothing else.
 */
public sealed interface Fact {
    ShownFact shown();

    /** The live stream's name for the frame of this fact. */
    default String frame() {
        return "event";
    }

    /** A fact that changes which session is below which, or which sessions are there. */
    interface Moves {}

    record SessionCreated(SessionShot session) implements Fact {
        @Override
        public ShownFact shown() {
            return ShownFact.as("session_created");
        }

        @Override
        public String frame() {
            return shown().type();
        }
    }

    record SessionUpdated(SessionShot session) implements Fact {
        @Override
        public ShownFact shown() {
            return ShownFact.as("session_updated");
        }

        @Override
        public String frame() {
            return shown().type();
        }
    }

    record RunStarted() implements Fact {
        @Override
        public ShownFact shown() {
            return ShownFact.as("run_start");
        }
    }

    record RunCompleted(int exitCode) implements Fact {
        @Override
        public ShownFact shown() {
            return ShownFact.as("run_completed")
                    .with("exit_code", exitCode)
                    .with("reason", "completed");
        }
    }

    record RunStopped(String reason) implements Fact {
        @Override
        public ShownFact shown() {
            return ShownFact.as("run_stopped").with("reason", reason);
        }
    }

    record RunFailed(String error) implements Fact {
        @Override
        public ShownFact shown() {
            return ShownFact.as("run_failed").with("error", error);
        }

        @Override
        public String frame() {
            return shown().type();
        }
    }

    /** The result of a run: text, data, or both. */
    record ResultGiven(@Nullable String text, @Nullable JsonText data) implements Fact {
        @Override
        public ShownFact shown() {
            return ShownFact.as("result").with("result_text", text).with("result_data", data);
        }
    }

    /** The stop of this session's tree began or ended, with this number of live sessions. */
    record TreeStopMoved(String stop, String what, int sessions, String reason) implements Fact {
        @Override
        public ShownFact shown() {
            return ShownFact.as("tree_stop_" + what)
                    .with("stop_id", stop)
                    .with("sessions", sessions)
                    .with("reason", reason);
        }
    }

    /** This session and {@code sessions} of those below it were frozen or thawed. */
    record TreeFrozen(String what, int sessions) implements Fact {
        @Override
        public ShownFact shown() {
            return ShownFact.as("tree_" + what).with("sessions", sessions);
        }
    }

    /** A budget of this session's tree is nearly spent, or spent. */
    record BudgetUsed(String what, String kind, long spent, long max) implements Fact {
        @Override
        public ShownFact shown() {
            return ShownFact.as("budget_" + what)
                    .with("kind", kind)
                    .with("spent", spent)
                    .with("max", max);
        }
    }

    /** A run of this session met the limit of an account, on which no run starts for a while. */
    record AccountHeld(String account, String until, int failures) implements Fact {
        @Override
        public ShownFact shown() {
            return ShownFact.as("account_held")
                    .with("account", account)
                    .with("until", until)
                    .with("failures", failures);
        }
    }

    /** The state of a callback that is owed to this session, and what it is about. */
    record CallbackMoved(
            String callback, String state, String about, int tries, @Nullable String detail)
            implements Fact {
        @Override
        public ShownFact shown() {
            return ShownFact.as("callback_" + state)
                    .with("callback_id", callback)
                    .with("about", about)
                    .with("tries", tries)
                    .with("detail", detail);
        }
    }

    /** The state of this session's removal, and why it waits or was cancelled. */
    record RemovalMoved(String removal, String state, @Nullable String why) implements Fact, Moves {
        @Override
        public ShownFact shown() {
            return ShownFact.as("removal_" + state).with("removal_id", removal).with("reason", why);
        }
    }

    /** This session was removed, with this number of runs. */
    record SessionDeleted(String removal, String name, long runs) implements Fact, Moves {
        @Override
        public ShownFact shown() {
            return ShownFact.as("session_deleted")
                    .with("removal_id", removal)
                    .with("session_name", name)
                    .with("runs_deleted", runs);
        }

        @Override
        public String frame() {
            return shown().type();
        }
    }

    /** This session was removed and is restored, with its events from the first to the last. */
    record SessionRestored(
            String removal, String name, @Nullable Long firstEvent, @Nullable Long lastEvent)
            implements Fact, Moves {
        @Override
        public ShownFact shown() {
            return ShownFact.as("session_restored")
                    .with("removal_id", removal)
                    .with("session_name", name)
                    .with("first_event", firstEvent)
                    .with("last_event", lastEvent);
        }

        @Override
        public String frame() {
            return shown().type();
        }
    }

    /** The removal of its parent made this session a root. */
    record SessionDetached(String removal, String from) implements Fact, Moves {
        @Override
        public ShownFact shown() {
            return ShownFact.as("session_detached")
                    .with("removal_id", removal)
                    .with("former_parent_id", from);
        }
    }

    /**
     * A session has another parent: a detached one is attached again, a person placed a root, or an
     * event showed the place of an agent.
     *
     * @param removal the removal whose undo it was; null for none
     */
    record SessionAttached(@Nullable String removal, String to) implements Fact, Moves {
        @Override
        public ShownFact shown() {
            return ShownFact.as("session_attached")
                    .with("removal_id", removal)
                    .with("parent_session_id", to);
        }
    }

    /** A person answered the event with this number. */
    record EventAnswered(long event) implements Fact {
        @Override
        public ShownFact shown() {
            return ShownFact.as("event_answered").with("event", event);
        }
    }

    /** The program of this session waits until a time for the answer to an event. */
    record QuestionHeld(String ask, long event, String tool, String until) implements Fact {
        @Override
        public ShownFact shown() {
            return ShownFact.as("question_held")
                    .with("ask_id", ask)
                    .with("event", event)
                    .with("tool_name", tool)
                    .with("until", until);
        }
    }

    /** A question was settled: by a person, by a standing answer, or without an answer. */
    record QuestionSettled(
            String ask, String how, String by, @Nullable String why, @Nullable String standing)
            implements Fact {
        @Override
        public ShownFact shown() {
            return ShownFact.as("question_" + how)
                    .with("ask_id", ask)
                    .with("by", by)
                    .with("reason", why)
                    .with("standing_answer_id", standing);
        }
    }

    /** The program of this session was not allowed to use a tool. */
    record ToolDenied(String tool, String why, @Nullable String standing) implements Fact {
        @Override
        public ShownFact shown() {
            return ShownFact.as("tool_denied")
                    .with("tool_name", tool)
                    .with("reason", why)
                    .with("standing_answer_id", standing);
        }
    }

    /** A person made or revoked a standing answer for this session and all below it. */
    record StandingAnswerMoved(
            String standing, String what, String pattern, String verdict, String by, String until)
            implements Fact {
        @Override
        public ShownFact shown() {
            return ShownFact.as("standing_answer_" + what)
                    .with("standing_answer_id", standing)
                    .with("pattern", pattern)
                    .with("verdict", verdict)
                    .with("by", by)
                    .with("until", until);
        }
    }

    /** An alert about this session was raised. */
    record AlertRaised(String alert, String kind, @Nullable String why) implements Fact {
        @Override
        public ShownFact shown() {
            return ShownFact.as("alert")
                    .with("alert_id", alert)
                    .with("kind", kind)
                    .with("reason", why);
        }
    }

    /** An event that an agent or its tools reported, under the type that they gave it. */
    record Reported(String type, JsonText body) implements Fact {
        @Override
        public ShownFact shown() {
            return ShownFact.as(type);
        }
    }

    /** A session as it was then, without its metadata, which can be large. */
    record SessionShot(
            String id,
            String name,
            String type,
            String state,
            @Nullable String reason,
            Where where,
            When when,
            What what) {}

    record Where(
            @Nullable String parentId,
            @Nullable String parentName,
            String rootId,
            int depth,
            String path) {}

    record When(
            Instant created,
            @Nullable Instant started,
            @Nullable Instant resumed,
            @Nullable Instant ended) {}

    record What(
            @Nullable String projectDir,
            @Nullable String blueprint,
            @Nullable String sourceApp,
            @Nullable String executorSessionId,
            @Nullable String executorProfile,
            @Nullable String hostname) {}
}
