package dev.coppice.kernel;

import java.util.List;

/** Refusals about removals, backups, and sessions that are being removed. */
public sealed interface RemovalRefusal extends Refusal {
    record RemovalUnknown(String removal) implements RemovalRefusal {}

    /** The objections in the plan of the removal. */
    record RemovalForbidden(SessionId session, List<Objection> objections)
            implements RemovalRefusal {
        public RemovalForbidden {
            objections = List.copyOf(objections);
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

    record PlanChanged(SessionId session, String confirmed, String now) implements RemovalRefusal {}

    /** The plan with this digest is not confirmed, and the caller's user cannot be asked. */
    record NotConfirmed(SessionId session, long sessions, String digest)
            implements RemovalRefusal {}

    record WorkWouldBeLost(SessionId session) implements RemovalRefusal {}

    record ReasonMissing(String what) implements RemovalRefusal {}

    record RemovedTooOften(SessionId session, int limit) implements RemovalRefusal {}

    record TreeIsBeingRemoved(SessionId session, String removal) implements RemovalRefusal {}

    record SessionRemoved(String session, String removal) implements RemovalRefusal {}

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
    }

    record ParentOfRestoredGone(String parent) implements RemovalRefusal {}

    record CannotBeCalledOff(String removal, String state) implements RemovalRefusal {}

    record CannotBePurged(String removal, String state) implements RemovalRefusal {}

    record CannotBeAbandoned(String removal, String state) implements RemovalRefusal {}

    record EarlierCanBeUndone(String removal, String earlier) implements RemovalRefusal {}

    record SessionIdHidden(SessionId session) implements RemovalRefusal {}

    record FileUnknown(String file) implements RemovalRefusal {}

    record BackupNotWritten(String why) implements RemovalRefusal {}
}
