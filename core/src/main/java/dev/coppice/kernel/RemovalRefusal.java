package dev.coppice.kernel;

import java.util.List;

/** What forbids a removal, or something to those being removed. */
public sealed interface RemovalRefusal extends Refusal {
    record RemovalUnknown(String removal) implements RemovalRefusal {
        @Override
        public String said() {
            return "Removal not found: " + removal;
        }

        @Override
        public String advice() {
            return "List the removals with GET /removals or 'coppice removals'.";
        }
    }

    /** What the plan had against it, each as one sentence with its advice. */
    record RemovalForbidden(SessionId session, List<Against> against) implements RemovalRefusal {
        public RemovalForbidden {
            against = List.copyOf(against);
        }

        /** One thing against it, and by name all that the sentence may have only some of. */
        public record Against(String code, String said, String advice, List<String> named) {
            public Against {
                named = List.copyOf(named);
            }
        }

        @Override
        public String said() {
            return "Session %s is not removed: %s"
                    .formatted(
                            session,
                            String.join("; ", against.stream().map(Against::said).toList()));
        }

        @Override
        public String advice() {
            return String.join(" ", against.stream().map(Against::advice).distinct().toList());
        }
    }

    record PlanChanged(SessionId session, String confirmed, String now) implements RemovalRefusal {
        @Override
        public String said() {
            return "The plan for session %s is no longer the one confirmed: %s was, it is %s now"
                    .formatted(session, confirmed, now);
        }

        @Override
        public String advice() {
            return "Look at the plan again, with the same choices, and confirm what it says now.";
        }
    }

    record WorkWouldBeLost(SessionId session) implements RemovalRefusal {
        @Override
        public String said() {
            return "Work in %s and below is saved nowhere else, and would be thrown away"
                    .formatted(session);
        }

        @Override
        public String advice() {
            return "Keep it with work=preserve, or send the digest of a plan that shows what is"
                    + " thrown away as 'confirm'.";
        }
    }

    record ReasonMissing(String what) implements RemovalRefusal {
        @Override
        public String said() {
            return what + " needs a reason";
        }

        @Override
        public String advice() {
            return "Say why in 'reason'; it is written down.";
        }
    }

    record RemovedTooOften(SessionId session, int limit) implements RemovalRefusal {
        @Override
        public String said() {
            return "Session %s was removed %d times before, which is the limit for agents"
                    .formatted(session, limit);
        }

        @Override
        public String advice() {
            return "Ask an operator: each removal that was undone leaves a backup.";
        }
    }

    record TreeIsBeingRemoved(SessionId session, String removal) implements RemovalRefusal {
        @Override
        public String said() {
            return "Session %s is being removed by %s; nothing can begin in it"
                    .formatted(session, removal);
        }

        @Override
        public String advice() {
            return "Wait until the removal is over, or call it off.";
        }
    }

    record SessionRemoved(String session, String removal) implements RemovalRefusal {
        @Override
        public String said() {
            return "Session %s was removed by %s".formatted(session, removal);
        }

        @Override
        public String advice() {
            return "See GET /removals/%s for whether it can be undone.".formatted(removal);
        }
    }

    record CannotBeUndone(String removal, String why, String advice) implements RemovalRefusal {
        @Override
        public String said() {
            return "Removal %s cannot be undone: %s".formatted(removal, why);
        }
    }

    record CannotBeRestored(String why, String advice) implements RemovalRefusal {
        @Override
        public String said() {
            return "Nothing was restored: " + why;
        }
    }

    record ParentOfRestoredGone(String parent) implements RemovalRefusal {
        @Override
        public String said() {
            return "Nothing was restored: its parent %s is not here".formatted(parent);
        }

        @Override
        public String advice() {
            return "Choose --as-root, or --under NAME for another parent.";
        }
    }

    record CannotBeCalledOff(String removal, String state) implements RemovalRefusal {
        @Override
        public String said() {
            return "Removal %s is %s and can no longer be called off".formatted(removal, state);
        }

        @Override
        public String advice() {
            return "When it is hidden it can be undone; what is over stays as it is.";
        }
    }

    record CannotBePurged(String removal, String state) implements RemovalRefusal {
        @Override
        public String said() {
            return "Removal %s is %s; only what is hidden can be purged".formatted(removal, state);
        }

        @Override
        public String advice() {
            return "While it is under way, wait until it is hidden; what is over stays as it is.";
        }
    }

    record CannotBeAbandoned(String removal, String state) implements RemovalRefusal {
        @Override
        public String said() {
            return "Removal %s is %s and waits for nothing".formatted(removal, state);
        }

        @Override
        public String advice() {
            return "Only one that is under way can go on without what it waits for.";
        }
    }

    record EarlierCanBeUndone(String removal, String earlier) implements RemovalRefusal {
        @Override
        public String said() {
            return "Removal %s has taken along what can still be undone: %s"
                    .formatted(removal, earlier);
        }

        @Override
        public String advice() {
            return "Each keeps its own time. Purge those first, the lowest before those above it,"
                    + " or wait.";
        }
    }

    record SessionIdKept(SessionId session) implements RemovalRefusal {
        @Override
        public String said() {
            return "The id %s belongs to a removed session that can still come back"
                    .formatted(session);
        }

        @Override
        public String advice() {
            return "Choose another id, leave it out to have one made, or purge the removal.";
        }
    }

    record FileUnknown(String file) implements RemovalRefusal {
        @Override
        public String said() {
            return "There is no file " + file;
        }

        @Override
        public String advice() {
            return "See GET /removals/{id} and GET /removals/{id}/work for what there is.";
        }
    }

    record BackupNotWritten(String why) implements RemovalRefusal {
        @Override
        public String said() {
            return "The backup was not written: " + why;
        }

        @Override
        public String advice() {
            return "Make room on the disk, and try again.";
        }
    }
}
