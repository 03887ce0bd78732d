package dev.coppice.audit;

import dev.coppice.kernel.Canonical;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Chains records by their hashes, and detects records that were changed or deleted. */
public final class AuditChain {
    /** The hash that the first record has as its previous one. */
    public static final String BEGINNING = "0".repeat(64);

    private AuditChain() {}

    public static AuditRecord next(@Nullable AuditRecord last, Act act) {
        long number = last == null ? 1 : last.number() + 1;
        var previous = last == null ? BEGINNING : last.hash();
        return new AuditRecord(number, act, previous, hash(number, act, previous));
    }

    /** Covers every field of the record, in this order ({@link Canonical}). */
    static String hash(long number, Act act, String previous) {
        var what = act.what();
        return new Canonical()
                .with("previous", previous)
                .with("number", number)
                .with("at", act.at())
                .with("who", act.who().name())
                .with("right", act.who().right())
                .with("act", what.act())
                .with("session", what.session())
                .with("session_name", what.sessionName())
                .with("removal", what.removal())
                .with("detail", what.detail())
                .with("decision", act.decision().allowed() ? "allowed" : "refused")
                .with("reason", act.decision().reason())
                .with("before", act.before())
                .with("after", act.after())
                .hash();
    }

    /** An inconsistency of the chain. */
    public record Flaw(long number, String what) {}

    /** Verifies a chain record by record. */
    public static final class Check {
        private final List<Flaw> flaws = new ArrayList<>();
        private final @Nullable String wanted;
        private long number;
        private String hash = BEGINNING;
        private boolean met;

        /** {@code wanted} is a hash that was noted elsewhere and must be in the chain. */
        public Check(@Nullable String wanted) {
            this.wanted = wanted;
            this.met = wanted == null || wanted.equals(BEGINNING);
        }

        public void read(AuditRecord record) {
            if (record.number() > number + 1) {
                var missing =
                        record.number() == number + 2
                                ? "record %d is missing".formatted(number + 1)
                                : "records %d to %d are missing"
                                        .formatted(number + 1, record.number() - 1);
                flaws.add(new Flaw(number + 1, missing));
            } else if (!record.previous().equals(hash)) {
                flaws.add(new Flaw(record.number(), notAfter(record.number())));
            }
            if (!record.hash().equals(hash(record.number(), record.act(), record.previous()))) {
                flaws.add(
                        new Flaw(
                                record.number(),
                                "record %d was changed".formatted(record.number())));
            }
            number = record.number();
            hash = record.hash();
            if (hash.equals(wanted)) met = true;
        }

        private static String notAfter(long number) {
            return "record %d does not match the hash of the record before it".formatted(number);
        }

        /** The inconsistencies found; empty if the chain is intact. */
        public List<Flaw> flaws() {
            var all = new ArrayList<>(flaws);
            cut().ifPresent(all::add);
            return List.copyOf(all);
        }

        private Optional<Flaw> cut() {
            return met
                    ? Optional.empty()
                    : Optional.of(
                            new Flaw(
                                    number,
                                    ("the chain ends at record %d without hash %s: its end was"
                                                    + " cut off or rewritten")
                                            .formatted(number, wanted)));
        }

        public long records() {
            return number;
        }

        public String head() {
            return hash;
        }
    }
}
