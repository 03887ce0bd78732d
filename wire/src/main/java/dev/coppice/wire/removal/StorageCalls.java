package dev.coppice.wire.removal;

import dev.coppice.wire.Call;
import dev.coppice.wire.Descriptions;
import dev.coppice.wire.Field;

import org.jspecify.annotations.Nullable;

import java.util.List;

/** The disk space of the coordinator. */
public final class StorageCalls {
    public static final Call<Call.Nothing, Storage> READ =
            Call.get(
                            "read_storage",
                            "/storage",
                            Call.Nothing.class,
                            Storage.class,
                            "Measure the disk space of the database and of the backups; reads"
                                    + " every page of the database")
                    .takesLong();

    private StorageCalls() {}

    /** The disk space of the database, its largest parts, and the space of the files beside it. */
    public record Storage(
            @Field("the size of the database") long bytes,
            @Field("the part of it that no row uses") long freeBytes,
            @Field("the size of backups and preserved work") long backupBytes,
            @Field("the largest tables with their indexes") List<Part> tables,
            @Field("the trees whose events and metadata are the largest") List<Part> trees,
            @Field("the types of events whose bodies are the largest") List<Part> events) {}

    /** A part of the database. */
    public record Part(
            @Field("its name") String name,
            @Field(Descriptions.SESSION) @Nullable String sessionId,
            @Field("its size") long bytes) {}
}
