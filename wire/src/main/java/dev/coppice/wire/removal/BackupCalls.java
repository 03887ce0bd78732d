package dev.coppice.wire.removal;

import dev.coppice.wire.Call;
import dev.coppice.wire.Field;
import dev.coppice.wire.Inline;
import dev.coppice.wire.Patience;
import dev.coppice.wire.event.EventCalls;
import dev.coppice.wire.session.SessionCalls;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Map;

/** Backups, restores, and the check for leftovers. */
public final class BackupCalls {
    public static final Call<RemovalCalls.At, Call.Bytes> OF_REMOVAL =
            Call.get(
                    "fetch_removal_backup",
                    "/removals/{removal_id}/backup",
                    RemovalCalls.At.class,
                    Call.Bytes.class,
                    "Fetch the backup of a removal");
    public static final Call<SessionCalls.At, BackupView> WRITE =
            Call.post(
                            "write_backup",
                            "/sessions/{session_id}/backup",
                            SessionCalls.At.class,
                            BackupView.class,
                            "Write a backup of a session and all below it")
                    .creates()
                    .takesLong();
    public static final Call<FileAt, Call.Bytes> FETCH =
            Call.get(
                    "fetch_backup",
                    "/backups/{file}",
                    FileAt.class,
                    Call.Bytes.class,
                    "Fetch a backup by its name");
    public static final Call<Part, EventCalls.Done> UPLOAD =
            Call.post(
                    "upload_backup_part",
                    "/backups/{file}/part",
                    Part.class,
                    EventCalls.Done.class,
                    "Upload a part of a backup to restore");
    public static final Call<Restore, RemovalView> RESTORE =
            Call.post(
                            "restore_backup",
                            "/restores",
                            Restore.class,
                            RemovalView.class,
                            "Restore a tree from a backup, completely or not at all")
                    .creates()
                    .takesLong();
    public static final Call<Check, Checked> FSCK =
            Call.get(
                            "check_store",
                            "/fsck",
                            Check.class,
                            Checked.class,
                            "Find rows and files that refer to missing objects")
                    .takesLong();

    private BackupCalls() {}

    /** The file in the path. */
    public record FileAt(@Field("the name of the file") String file) {}

    /** A part of a file, in base 64. */
    public record Part(
            @Field("the name of the file") String file,
            @Field(value = "the offset of the part in the file", fallback = "0", min = 0)
                    long offset,
            @Field("the bytes in base 64") String data) {}

    /** A restore: the backup, and the place of the tree. */
    public record Restore(
            @Field("the name of the backup") String file,
            @Field("the SHA-256 of the file, if it was uploaded") @Nullable String sha256,
            @Field("its size in bytes, if it was uploaded") @Nullable Long size,
            @Field("the id of a session to restore it below") @Nullable String under,
            @Field(value = "restore it as a root", fallback = "false") boolean asRoot,
            @Field(value = "give every session a new id", fallback = "false") boolean newIds,
            @Field(value = "give new names to sessions whose names were taken", fallback = "false")
                    boolean rename,
            @Field("the earlier removal in the file to restore") @Nullable String removal) {}

    /** A check, and the time to wait for runners. */
    public record Check(@Inline Patience patience) {}

    /** The result of a check. */
    public record Checked(
            @Field("true if there are no leftovers") boolean ok,
            @Field("the leftovers by kind") List<Leftover> leftovers,
            @Field("hosts on which no runner answered") List<String> notLookedAt,
            @Field("why a runner could not look, by host") Map<String, String> looksFailed) {}

    /** Inconsistencies of one sort. */
    public record Leftover(
            @Field("the place of the inconsistency") Kind kind,
            @Field("the inconsistency in words") String what,
            @Field("the number of leftovers") long count,
            @Field("some of them") List<String> some) {

        /** The place of an inconsistency. */
        public enum Kind {
            /** Damage of the database itself: no other check is possible then. */
            DAMAGE,
            ROWS,
            FILES,
            HOSTS
        }
    }
}
