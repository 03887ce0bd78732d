package dev.coppice.kernel;

import static java.util.stream.Collectors.joining;

import java.util.List;

/** Refusals about removals, backups, and sessions that are being removed. */
public sealed interface RemovalRefusal extends Refusal {
    record RemovalUnknown(String removal) implements RemovalRefusal {
        @Override
        public String said() {
            return "Removal not found: '%s'".formatted(removal);
        }
    }

    /** The objections in the plan of the removal. */
    record RemovalForbidden(SessionId session, List<Objection> objections)
            implements RemovalRefusal {
        public RemovalForbidden {
            objections = List.copyOf(objections);
        }

        @Override
        public String said() {
            var all = objections.stream().map(Objection::said).collect(joining("; "));
            return "Session '%s' cannot be removed: %s".formatted(session, all);
        }
    }

    /** A reason against a removal. The sentence may name only some of {@code named}. */
    record Objection(Kind kind, String said, List<String> named) {
        public Objection {
            named = List.copyOf(named);
        }

        public Objection(Kind kind, String said) {
            this(kind, said, List.of());
        }

        public enum Kind {
            HAS_CHILDREN,
            STILL_RUNNING,
            CRITICAL_OPERATIONS,
            EARLIER_REMOVALS,
            REMOVAL_BELOW,
            WORK_NOT_INSPECTED
        }
    }

    record PlanChanged(SessionId session, String confirmed, String now) implements RemovalRefusal {
        @Override
        public String said() {
            return "The plan for session '%s' has changed: '%s' was confirmed, it is '%s' now"
                    .formatted(session, confirmed, now);
        }
    }

    /** The plan with this digest is not confirmed, and the caller's user cannot be asked. */
    record NotConfirmed(SessionId session, long sessions, String digest) implements RemovalRefusal {
        @Override
        public String said() {
            return "Session '%s' is not deleted yet: the plan to delete %s is not confirmed"
                    .formatted(session, Counted.sessions(sessions));
        }
    }

    record WorkWouldBeLost(SessionId session) implements RemovalRefusal {
        @Override
        public String said() {
            return "Unsaved work of session '%s' and its descendants would be discarded"
                    .formatted(session);
        }
    }

    record ReasonMissing(String what) implements RemovalRefusal {
        @Override
        public String said() {
            return what + " needs a reason";
        }
    }

    record RemovedTooOften(SessionId session, int limit) implements RemovalRefusal {
        @Override
        public String said() {
            return "Session '%s' was already removed %s, which is the limit for agents"
                    .formatted(session, Counted.of(limit, "time", "times"));
        }
    }

    record TreeIsBeingRemoved(SessionId session, String removal) implements RemovalRefusal {
        @Override
        public String said() {
            return "Session '%s' is being removed by '%s'; nothing can start in it"
                    .formatted(session, removal);
        }
    }

    record SessionRemoved(String session, String removal) implements RemovalRefusal {
        @Override
        public String said() {
            return "Session '%s' was removed by '%s'".formatted(session, removal);
        }
    }

    record CannotBeUndone(String removal, UndoCause cause, String why) implements RemovalRefusal {
        /** The reason why a removal cannot be undone. */
        public enum UndoCause {
            NAMES_TAKEN,
            PARENT_REMOVED,
            UNDER_WAY,
            DETACHING,
            BEING_HIDDEN,
            CALLED_OFF,
            WINDOW_CLOSED
        }

        @Override
        public String said() {
            return "Removal '%s' cannot be undone: %s".formatted(removal, why);
        }
    }

    record CannotBeRestored(RestoreCause cause, String why) implements RemovalRefusal {
        /** The reason why a backup cannot be restored. */
        public enum RestoreCause {
            NO_FILE,
            DAMAGED,
            NO_SUCH_REMOVAL,
            IDS_UNFIT,
            NAMES_UNFIT,
            TOO_DEEP,
            IDS_TAKEN,
            NAMES_TAKEN
        }

        @Override
        public String said() {
            return "Nothing was restored: " + why;
        }
    }

    record ParentOfRestoredGone(String parent) implements RemovalRefusal {
        @Override
        public String said() {
            return "Nothing was restored: parent session not found: '%s'".formatted(parent);
        }
    }

    record CannotBeCalledOff(String removal, String state) implements RemovalRefusal {
        @Override
        public String said() {
            return "Removal '%s' is '%s' and can no longer be called off".formatted(removal, state);
        }
    }

    record CannotBePurged(String removal, String state) implements RemovalRefusal {
        @Override
        public String said() {
            return "Removal '%s' is '%s'; only a hidden one can be purged"
                    .formatted(removal, state);
        }
    }

    record CannotBeAbandoned(String removal, String state) implements RemovalRefusal {
        @Override
        public String said() {
            return "Removal '%s' is '%s' and no longer waits".formatted(removal, state);
        }
    }

    record EarlierCanBeUndone(String removal, String earlier) implements RemovalRefusal {
        @Override
        public String said() {
            return "Removal '%s' contains earlier removals that can still be undone: %s"
                    .formatted(removal, earlier);
        }
    }

    record SessionIdHidden(SessionId session) implements RemovalRefusal {
        @Override
        public String said() {
            return "The id '%s' belongs to a removed session that can still be restored"
                    .formatted(session);
        }
    }

    record FileUnknown(String file) implements RemovalRefusal {
        @Override
        public String said() {
            return "There is no file '%s'".formatted(file);
        }
    }

    record BackupNotWritten(String why) implements RemovalRefusal {
        @Override
        public String said() {
            return "The backup was not written: " + why;
        }
    }
}
