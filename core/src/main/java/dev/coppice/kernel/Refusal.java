package dev.coppice.kernel;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Locale;

/**
 * The request was understood and the rules say no. Each refusal is the fact that forbids; it says
 * what was refused and why, with the value and the limit, and what to do next. Each edge translates
 * refusals in one exhaustive switch.
 */
public sealed interface Refusal {
    String said();

    String advice();

    /** The stable word for programs: the fact's name in snake case. */
    default String code() {
        return getClass()
                .getSimpleName()
                .replaceAll("(?<=[a-z])(?=[A-Z])", "_")
                .toLowerCase(Locale.ROOT);
    }

    record BadValue(String field, String value, String rule) implements Refusal {
        @Override
        public String said() {
            var shown = value.length() > 120 ? value.substring(0, 120) + "…" : value;
            return "%s is not valid: '%s'; it must be %s".formatted(field, shown, rule);
        }

        @Override
        public String advice() {
            return "Send " + field + " as described and try again.";
        }
    }

    record TooLarge(String field, long size, long limit) implements Refusal {
        @Override
        public String said() {
            return "%s is too large: %d bytes, the limit is %d".formatted(field, size, limit);
        }

        @Override
        public String advice() {
            return "Send less, or keep the content in a file and send its path.";
        }
    }

    record SessionUnknown(String session) implements Refusal {
        @Override
        public String said() {
            return "Session not found: " + session;
        }

        @Override
        public String advice() {
            return "List the sessions you may see with GET /sessions or 'coppice list'.";
        }
    }

    record SessionIdTaken(SessionId session) implements Refusal {
        @Override
        public String said() {
            return "A session with the id " + session + " already exists";
        }

        @Override
        public String advice() {
            return "Choose another id, leave it out to have one made, or resume the session.";
        }
    }

    record NameTaken(String name, SessionId by) implements Refusal {
        @Override
        public String said() {
            return "The name %s is taken by session %s".formatted(name, by);
        }

        @Override
        public String advice() {
            return "Choose another name, or resume the session that has it.";
        }
    }

    record ParentUnknown(String parent) implements Refusal {
        @Override
        public String said() {
            return "Parent session not found: " + parent;
        }

        @Override
        public String advice() {
            return "Name a parent that exists, or leave it out to start a tree of its own.";
        }
    }

    record ParentIsItself(SessionId session) implements Refusal {
        @Override
        public String said() {
            return "Session " + session + " cannot be its own parent";
        }

        @Override
        public String advice() {
            return "Name another parent, or leave it out.";
        }
    }

    record ParentMakesCycle(SessionId session, SessionId parent) implements Refusal {
        @Override
        public String said() {
            return "Session %s is above %s and cannot become its child".formatted(session, parent);
        }

        @Override
        public String advice() {
            return "Leave the parent out; a session keeps the parent it was started with.";
        }
    }

    record ParentIsFixed(SessionId session, @Nullable SessionId has, SessionId wanted)
            implements Refusal {
        @Override
        public String said() {
            var present = has == null ? "has no parent" : "has the parent " + has;
            return "Session %s %s and cannot move to %s".formatted(session, present, wanted);
        }

        @Override
        public String advice() {
            return "Leave the parent out when resuming.";
        }
    }

    record ParentIsStopping(SessionId parent) implements Refusal {
        @Override
        public String said() {
            return "Parent session " + parent + " is being stopped; nothing can start below it";
        }

        @Override
        public String advice() {
            return "Wait until it has stopped, resume it, and try again.";
        }
    }

    record ParentHasEnded(SessionId parent, String as) implements Refusal {
        @Override
        public String said() {
            return "Parent session %s has ended as %s; nothing can start below it"
                    .formatted(parent, as);
        }

        @Override
        public String advice() {
            return "Resume the parent first, or start the session without it.";
        }
    }

    /** {@code setBy} is a session's name, or the coordinator itself for what nobody set. */
    record LimitReached(String limit, long value, long wanted, String setBy) implements Refusal {
        @Override
        public String said() {
            return "The limit %s = %d, set by %s, would be passed: this would be number %d"
                    .formatted(limit, value, setBy, wanted);
        }

        @Override
        public String advice() {
            return "Wait for something to end, or have the limit raised where it was set.";
        }
    }

    record SessionBusy(SessionId session, RunId run) implements Refusal {
        @Override
        public String said() {
            return "Session %s is busy with run %s".formatted(session, run);
        }

        @Override
        public String advice() {
            return "Wait for the run to end, or stop it, and resume then.";
        }
    }

    record StateForbids(String what, String state, String event) implements Refusal {
        @Override
        public String said() {
            return "%s is %s, which %s cannot change".formatted(what, state, event);
        }

        @Override
        public String advice() {
            return "Read its present state before reporting on it.";
        }
    }

    record ResultNotReady(SessionId session, String status) implements Refusal {
        @Override
        public String said() {
            return "Session not finished or idle: %s is %s".formatted(session, status);
        }

        @Override
        public String advice() {
            return "Wait for its run with GET /runs/{id}?wait=30s.";
        }
    }

    record ResultMissing(SessionId session) implements Refusal {
        @Override
        public String said() {
            return "No result found: the last run of " + session + " left none";
        }

        @Override
        public String advice() {
            return "Read its events to see what it did.";
        }
    }

    record RunUnknown(String run) implements Refusal {
        @Override
        public String said() {
            return "Run not found: " + run;
        }

        @Override
        public String advice() {
            return "List the runs you may see with GET /runs.";
        }
    }

    record RunHasEnded(RunId run, String as) implements Refusal {
        @Override
        public String said() {
            return "Run %s has already ended as %s".formatted(run, as);
        }

        @Override
        public String advice() {
            return "An ended run stays ended; stop working on it.";
        }
    }

    record LeaseLost(RunId run, RunnerId by) implements Refusal {
        @Override
        public String said() {
            return "Runner %s does not hold the live lease of run %s".formatted(by, run);
        }

        @Override
        public String advice() {
            return "End the agent's processes for this run; another may have taken it over.";
        }
    }

    record RunnerUnknown(String runner) implements Refusal {
        @Override
        public String said() {
            return "Runner not registered: " + runner;
        }

        @Override
        public String advice() {
            return "Register with POST /runner/register and go on.";
        }
    }

    record RunnerTwin(RunnerId runner) implements Refusal {
        @Override
        public String said() {
            return "Runner %s is already online with the same host, directory and profile"
                    .formatted(runner);
        }

        @Override
        public String advice() {
            return "Stop the other one, or start this one with another profile or directory.";
        }
    }

    record BlueprintUnknown(String name) implements Refusal {
        @Override
        public String said() {
            return "Agent not found: " + name;
        }

        @Override
        public String advice() {
            return "List the blueprints with GET /agents or 'coppice blueprints'.";
        }
    }

    record BlueprintTaken(String name) implements Refusal {
        @Override
        public String said() {
            return "Agent already exists: " + name;
        }

        @Override
        public String advice() {
            return "Change it with PATCH /agents/" + name + ", or choose another name.";
        }
    }

    record BlueprintInactive(String name) implements Refusal {
        @Override
        public String said() {
            return "Agent is inactive: " + name;
        }

        @Override
        public String advice() {
            return "Activate it with PATCH /agents/" + name + "/status.";
        }
    }

    record BlueprintBuiltIn(String name) implements Refusal {
        @Override
        public String said() {
            return "Agent " + name + " comes with Coppice and cannot be removed";
        }

        @Override
        public String advice() {
            return "Create one of the same name to take its place.";
        }
    }

    /** One thing wrong with parameters or a result, in the original's words. */
    record Violation(String path, String message, String schemaPath) {}

    record ParametersInvalid(String agent, List<Violation> violations, JsonText schema)
            implements Refusal {
        public ParametersInvalid {
            violations = List.copyOf(violations);
        }

        @Override
        public String said() {
            var first = violations.getFirst();
            return "Parameter validation failed for agent %s: %s %s"
                    .formatted(agent, first.path(), first.message());
        }

        @Override
        public String advice() {
            return "Send parameters that fit the agent's parameters_schema.";
        }
    }

    record PlaceholderUnknown(String placeholder, String where) implements Refusal {
        @Override
        public String said() {
            return "Nothing resolves ${%s} in %s".formatted(placeholder, where);
        }

        @Override
        public String advice() {
            return "Pass it, allow it (COPPICE_ENV_ALLOW for env), or write $${"
                    + placeholder
                    + "} to mean the text itself.";
        }
    }

    record KeyUsedOtherwise(String key) implements Refusal {
        @Override
        public String said() {
            return "Idempotency-Key '" + key + "' was used with another request";
        }

        @Override
        public String advice() {
            return "Use a new key for a new request; the same key repeats the same one.";
        }
    }

    record NotAllowed(String what) implements Refusal {
        @Override
        public String said() {
            return "Not allowed: " + what;
        }

        @Override
        public String advice() {
            return "Ask someone with a role that may, or use the token of a session above.";
        }
    }

    record NotOffered(String what) implements Refusal {
        @Override
        public String said() {
            return what + " is not offered by this version of Coppice";
        }

        @Override
        public String advice() {
            return "See the CHANGELOG for what is planned.";
        }
    }
}
