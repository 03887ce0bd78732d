package dev.coppice.audit;

import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/** How records hang together, and how one finds out that somebody has meddled with them. */
public final class AuditChain {
    /** What the first record has before it. */
    public static final String BEGINNING = "0".repeat(64);

    private static final int DIGEST_BYTES = 8;

    private AuditChain() {}

    public static AuditRecord next(@Nullable AuditRecord last, Act act) {
        long number = last == null ? 1 : last.number() + 1;
        var previous = last == null ? BEGINNING : last.hash();
        return new AuditRecord(number, act, previous, hash(number, act, previous));
    }

    /** Everything in the record, each part with its length before it, so that none runs over. */
    static String hash(long number, Act act, String previous) {
        var digest = sha256();
        var what = act.what();
        for (var part :
                new @Nullable String[] {
                    previous,
                    Long.toString(number),
                    Long.toString(act.at().toEpochMilli()),
                    act.who().name(),
                    act.who().right(),
                    what.act(),
                    what.session(),
                    what.sessionName(),
                    what.removal(),
                    what.detail(),
                    act.decision().allowed() ? "allowed" : "refused",
                    act.decision().reason(),
                    act.before(),
                    act.after()
                }) {
            var bytes = part == null ? null : part.getBytes(StandardCharsets.UTF_8);
            var length = bytes == null ? "-" : Integer.toString(bytes.length);
            digest.update((length + ":").getBytes(StandardCharsets.UTF_8));
            if (bytes != null) digest.update(bytes);
        }
        return HexFormat.of().formatHex(digest.digest());
    }

    /** A short stand-in for a state of something, whatever it is. */
    public static String digest(Object state) {
        var bytes = sha256().digest(state.toString().getBytes(StandardCharsets.UTF_8));
        return HexFormat.of().formatHex(bytes, 0, DIGEST_BYTES);
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    /** One thing wrong with the chain. */
    public record Flaw(long number, String what) {}

    /** Reads a chain piece by piece, and says what is wrong with it. */
    public static final class Check {
        private final List<Flaw> flaws = new ArrayList<>();
        private final @Nullable String wanted;
        private long number;
        private String hash = BEGINNING;
        private boolean met;

        /** {@code wanted} is a hash that was written down elsewhere, and must be in the chain. */
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
            return "record %d does not follow the one before it, as it did when written"
                    .formatted(number);
        }

        /** What is wrong; nothing when all of it is as it was written. */
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
                                    ("the chain ends at record %d without %s: its end was cut"
                                                    + " off or written anew")
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
