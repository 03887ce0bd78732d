package dev.coppice.kernel;

import org.jspecify.annotations.Nullable;

/** What forbids something to a session. */
public sealed interface SessionRefusal extends Refusal {
    record SessionUnknown(String session) implements SessionRefusal {
        @Override
        public String said() {
            return "Session not found: " + session;
        }

        @Override
        public String advice() {
            return "List the sessions you may see with GET /sessions or 'coppice list'.";
        }
    }

    record SessionIdTaken(SessionId session) implements SessionRefusal {
        @Override
        public String said() {
            return "A session with the id " + session + " already exists";
        }

        @Override
        public String advice() {
            return "Choose another id, leave it out to have one made, or resume the session.";
        }
    }

    record NameTaken(String name, SessionId by) implements SessionRefusal {
        @Override
        public String said() {
            return "The name %s is taken by session %s".formatted(name, by);
        }

        @Override
        public String advice() {
            return "Choose another name, or resume the session that has it.";
        }
    }

    record ParentUnknown(String parent) implements SessionRefusal {
        @Override
        public String said() {
            return "Parent session not found: " + parent;
        }

        @Override
        public String advice() {
            return "Name a parent that exists, or leave it out to start a tree of its own.";
        }
    }

    record ParentIsItself(SessionId session) implements SessionRefusal {
        @Override
        public String said() {
            return "Session " + session + " cannot be its own parent";
        }

        @Override
        public String advice() {
            return "Name another parent, or leave it out.";
        }
    }

    record ParentMakesCycle(SessionId session, SessionId parent) implements SessionRefusal {
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
            implements SessionRefusal {
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

    record ParentIsStopping(SessionId parent) implements SessionRefusal {
        @Override
        public String said() {
            return "Parent session " + parent + " is being stopped; nothing can start below it";
        }

        @Override
        public String advice() {
            return "Wait until it has stopped, resume it, and try again.";
        }
    }

    record StopUnknown(String stop) implements SessionRefusal {
        @Override
        public String said() {
            return "Stop not found: " + stop;
        }

        @Override
        public String advice() {
            return "Its id was in the answer of the stop; asking for the stop again shows it.";
        }
    }

    record TreeIsStopping(SessionId top) implements SessionRefusal {
        @Override
        public String said() {
            return "The tree of session " + top + " is being stopped; nothing can begin in it";
        }

        @Override
        public String advice() {
            return "Wait until the stop is over, and try again.";
        }
    }

    record ParentHasEnded(SessionId parent, String as) implements SessionRefusal {
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

    record SessionBusy(SessionId session, RunId run) implements SessionRefusal {
        @Override
        public String said() {
            return "Session %s is busy with run %s".formatted(session, run);
        }

        @Override
        public String advice() {
            return "Wait for the run to end, or stop it, and resume then.";
        }
    }

    record StateForbids(String what, String state, String event) implements SessionRefusal {
        @Override
        public String said() {
            return "%s is %s, which %s cannot change".formatted(what, state, event);
        }

        @Override
        public String advice() {
            return "Read its present state before reporting on it.";
        }
    }

    record ResultNotReady(SessionId session, String status) implements SessionRefusal {
        @Override
        public String said() {
            return "Session not finished or idle: %s is %s".formatted(session, status);
        }

        @Override
        public String advice() {
            return "Wait for its run with GET /runs/{id}?wait=30s.";
        }
    }

    record ResultMissing(SessionId session) implements SessionRefusal {
        @Override
        public String said() {
            return "No result found: the last run of " + session + " left none";
        }

        @Override
        public String advice() {
            return "Read its events to see what it did.";
        }
    }
}
