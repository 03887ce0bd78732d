package dev.coppice.kernel;

import org.jspecify.annotations.Nullable;

/** Refusals about sessions and stops. */
public sealed interface SessionRefusal extends Refusal {
    record SessionUnknown(String session) implements SessionRefusal {
        @Override
        public String said() {
            return "Session not found: '%s'".formatted(session);
        }
    }

    record SessionIdTaken(SessionId session) implements SessionRefusal {
        @Override
        public String said() {
            return "A session with the id '%s' already exists".formatted(session);
        }
    }

    record NameTaken(String name, SessionId by) implements SessionRefusal {
        @Override
        public String said() {
            return "The name '%s' is taken by session '%s'".formatted(name, by);
        }
    }

    record ParentUnknown(String parent) implements SessionRefusal {
        @Override
        public String said() {
            return "Parent session not found: '%s'".formatted(parent);
        }
    }

    record ParentIsItself(SessionId session) implements SessionRefusal {
        @Override
        public String said() {
            return "Session '%s' cannot be its own parent".formatted(session);
        }
    }

    record ParentMakesCycle(SessionId session, SessionId parent) implements SessionRefusal {
        @Override
        public String said() {
            return "Session '%s' is above '%s' and cannot become its child"
                    .formatted(session, parent);
        }
    }

    record ParentIsFixed(SessionId session, @Nullable SessionId has, SessionId wanted)
            implements SessionRefusal {
        @Override
        public String said() {
            var present = has == null ? "no parent" : "the parent '%s'".formatted(has);
            return "Session '%s' has %s and cannot move to '%s'"
                    .formatted(session, present, wanted);
        }
    }

    record ParentIsStopping(SessionId parent) implements SessionRefusal {
        @Override
        public String said() {
            return "Parent session '%s' is being stopped; nothing can start below it"
                    .formatted(parent);
        }
    }

    record WaveUnknown(String wave) implements SessionRefusal {
        @Override
        public String said() {
            return "Wave not found: '%s'".formatted(wave);
        }
    }

    record StopUnknown(String stop) implements SessionRefusal {
        @Override
        public String said() {
            return "Stop not found: '%s'".formatted(stop);
        }
    }

    record TreeIsStopping(SessionId top) implements SessionRefusal {
        @Override
        public String said() {
            return "The tree of session '%s' is being stopped; nothing can start in it"
                    .formatted(top);
        }
    }

    record ParentHasEnded(SessionId parent, String as) implements SessionRefusal {
        @Override
        public String said() {
            return "Parent session '%s' has ended as '%s'; nothing can start below it"
                    .formatted(parent, as);
        }
    }

    record SessionBusy(SessionId session, RunId run) implements SessionRefusal {
        @Override
        public String said() {
            return "Session '%s' is busy with run '%s'".formatted(session, run);
        }
    }

    record StateForbids(String what, String state, String event) implements SessionRefusal {
        @Override
        public String said() {
            return "%s is %s; this state forbids %s".formatted(what, state, event);
        }
    }

    record ResultNotReady(SessionId session, String status) implements SessionRefusal {
        @Override
        public String said() {
            return "Session not finished or idle: '%s' is '%s'".formatted(session, status);
        }
    }

    record ResultMissing(SessionId session) implements SessionRefusal {
        @Override
        public String said() {
            return "No result found: the last run of session '%s' left none".formatted(session);
        }
    }

    /** A question or a standing answer. */
    record AskUnknown(String ask) implements SessionRefusal {
        @Override
        public String said() {
            return "Question or standing answer not found: '%s'".formatted(ask);
        }
    }

    record AskIsSettled(String ask, String as) implements SessionRefusal {
        @Override
        public String said() {
            return "Question '%s' is already '%s'".formatted(ask, as);
        }
    }

    /** An agent may not lift what a person has set. */
    record PeopleOnly(SessionId session, String what) implements SessionRefusal {
        @Override
        public String said() {
            return "A person has set %s session '%s'; no agent may lift it"
                    .formatted(what, session);
        }
    }

    /** The program of this session may use no tools while the session is stopped or frozen. */
    record ToolsAreStopped(SessionId session, String how) implements SessionRefusal {
        @Override
        public String said() {
            return "Session '%s' is %s; its agents may use no tools".formatted(session, how);
        }
    }
}
