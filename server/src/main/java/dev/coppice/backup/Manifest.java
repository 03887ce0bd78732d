package dev.coppice.backup;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;

import org.jspecify.annotations.Nullable;

import java.util.List;

/** The manifest of a backup. Its names are part of the format, and change only with its version. */
public record Manifest(
        @Nullable String format,
        int version,
        @Nullable String madeAt,
        Top top,
        List<Entry> entries,
        @Nullable MadeFor madeFor,
        List<Earlier> earlier,
        @Nullable String auditHead) {
    public static final String FORMAT = "coppice-backup";
    public static final int VERSION = 1;
    static final String NAME = "manifest.json";

    /** Lists that the file lacks are empty. */
    public Manifest {
        entries = entries == null ? List.of() : List.copyOf(entries);
        earlier = earlier == null ? List.of() : List.copyOf(earlier);
    }

    /** True if no name is missing. A file that was not written by Coppice may lack any of them. */
    @SuppressWarnings("RedundantNullCheck")
    boolean isComplete() {
        return top != null
                && top.sessionId != null
                && top.sessionName != null
                && entries.stream().allMatch(e -> e.name != null && e.sha256 != null)
                && earlier.stream().allMatch(e -> e.removalId != null && e.sessionName != null);
    }

    /** The top of the tree. */
    public record Top(String sessionId, String sessionName, @Nullable String parentSessionId) {}

    /** An entry of the file. */
    public record Entry(String name, String sha256, @Nullable Long size, long lines) {}

    /** The removal, or the request, that the backup was made for. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record MadeFor(
            @Nullable String removalId,
            @JsonInclude @Nullable String reason,
            @Nullable String askedBy,
            @Nullable Boolean onRequest,
            @Nullable List<String> notPreserved,
            @Nullable Boolean imported) {
        public static final MadeFor IMPORT = new MadeFor(null, null, null, null, null, true);

        static MadeFor removal(String id, @Nullable String reason, String by) {
            return new MadeFor(id, reason, by, null, null, null);
        }

        static MadeFor request(List<String> notPreserved) {
            return new MadeFor(null, null, null, true, notPreserved, null);
        }
    }

    /**
     * A removal below this tree that was hidden before. {@code preserved}: its backup is in this
     * file; {@code within}: inside the backup of that other removal.
     */
    public record Earlier(
            String removalId,
            String sessionName,
            long sessions,
            @JsonProperty("kept") boolean preserved,
            @Nullable String within) {
        String entry() {
            return "removals/" + removalId + ".coppice";
        }

        Earlier inside(String other) {
            return new Earlier(removalId, sessionName, sessions, preserved, other);
        }
    }
}
