package dev.coppice.boot;

import dev.coppice.client.OwnerOnly;
import dev.coppice.store.schema.ExtraIndex;
import dev.coppice.store.schema.Migrations;
import dev.coppice.store.schema.Schema;
import dev.coppice.store.schema.Space;
import dev.coppice.wire.removal.StorageCalls;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

/** Implements {@code coppice db}. Only changes of the database lock the data directory. */
public final class DatabaseSchema {
    private static final System.Logger LOG = System.getLogger("boot");
    private final Settings settings;

    public DatabaseSchema(Settings settings) {
        this.settings = settings;
    }

    /** A numbered migration; without a time it is pending. */
    public record Step(String name, Optional<Instant> takenAt) {
        static Step of(Migrations.Step step) {
            return new Step(step.name(), Optional.ofNullable(step.takenAt()));
        }
    }

    /** The step that was rolled back, the data that only it held, and the backup before. */
    public record RolledBack(String step, List<String> lost, String backup) {
        public RolledBack {
            lost = List.copyOf(lost);
        }
    }

    /** Maintenance was refused, and nothing was changed. */
    public static final class Refused extends RuntimeException {
        private static final long serialVersionUID = 1;

        Refused(RuntimeException cause) {
            this(cause, "");
        }

        Refused(RuntimeException cause, String advice) {
            super(cause.getMessage() + advice, cause);
        }
    }

    /** An index that a database may have, by the column that it serves. */
    public record Index(String column, boolean present) {}

    /** The columns for which an index can be added. */
    public static List<String> indexed() {
        return Arrays.stream(ExtraIndex.values()).map(ExtraIndex::column).toList();
    }

    public List<Index> indexes() {
        return on(schema -> {
            var present = schema.indexes();
            return Arrays.stream(ExtraIndex.values())
                    .map(index -> new Index(index.column(), present.contains(index)))
                    .toList();
        });
    }

    public void addIndex(String column) {
        changeIndexes(schema -> schema.addIndex(indexOf(column)));
    }

    public void dropIndex(String column) {
        changeIndexes(schema -> schema.dropIndex(indexOf(column)));
    }

    private void changeIndexes(Consumer<Schema> change) {
        try (var _ = DataDirectory.open(settings.data())) {
            on(schema -> {
                change.accept(schema);
                return 0;
            });
        }
    }

    private static ExtraIndex indexOf(String column) {
        return Arrays.stream(ExtraIndex.values())
                .filter(index -> index.column().equals(column))
                .findFirst()
                .orElseThrow();
    }

    public List<Step> status() {
        return on(schema -> schema.status().stream().map(Step::of).toList());
    }

    /** Returns what is wrong with the database; empty if all is well. */
    public List<String> verify() {
        return on(Schema::verify);
    }

    /** Measures the database, its largest parts, and the files beside it. */
    public StorageCalls.Storage storage() {
        return on(schema -> storage(schema.space()));
    }

    private StorageCalls.Storage storage(Space space) {
        return new StorageCalls.Storage(
                space.bytes(),
                space.freeBytes(),
                sizeOf(settings.backups()),
                parts(space.tables()),
                parts(space.trees()),
                parts(space.types()));
    }

    private static List<StorageCalls.Part> parts(List<Space.Part> parts) {
        return parts.stream()
                .map(part ->
                        new StorageCalls.Part(
                                part.name(), part.session().orElse(null), part.bytes()))
                .toList();
    }

    /** The size of all files in a directory that can be read: some may vanish meanwhile. */
    private static long sizeOf(Path directory) {
        var size = new FileSizes();
        try {
            Files.walkFileTree(directory, size);
        } catch (IOException e) {
            throw new UncheckedIOException("measuring " + directory, e);
        }
        return size.bytes;
    }

    private static final class FileSizes extends SimpleFileVisitor<Path> {
        private long bytes;

        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            if (attributes.isRegularFile()) bytes += attributes.size();
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult visitFileFailed(Path file, IOException e) {
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException e) {
            return FileVisitResult.CONTINUE;
        }
    }

    /** Returns free space to the file system. The result is the size before and after, in bytes. */
    public List<Long> compact() {
        try (var _ = DataDirectory.open(settings.data())) {
            return on(schema -> {
                long before = schema.space().bytes();
                schema.compact();
                return List.of(before, schema.space().bytes());
            });
        }
    }

    /** The number of steps that this version takes. */
    public static int newest() {
        return Migrations.newest();
    }

    /** Copies the database into a file and checks it; false if it is not in the data directory. */
    public boolean copyInto(Path file) {
        boolean isCopied = on(schema -> schema.copy(file));
        if (isCopied) restrict(file);
        return isCopied;
    }

    public int migrate() {
        try (var _ = DataDirectory.open(settings.data())) {
            copyBeforeSteps();
            return on(Schema::migrate);
        }
    }

    /** Copies an SQLite database if steps are pending. The data directory must be locked. */
    void copyBeforeSteps() {
        var database = settings.data().resolve("coppice.db");
        if (settings.database() != null || !Files.exists(database)) return;
        DataDirectory.restrict(settings.backups());
        var copy = on(schema -> schema.copyBeforeSteps(settings.backups()));
        copy.ifPresent(DatabaseSchema::restrict);
        copy.ifPresent(file ->
                LOG.log(
                        System.Logger.Level.INFO,
                        "the database as it was before this version is in {0}",
                        file));
    }

    public RolledBack rollback() {
        try (var _ = DataDirectory.open(settings.data())) {
            DataDirectory.restrict(settings.backups());
            return on(schema -> {
                var rolledBack = schema.rollback(settings.backups());
                rolledBack.file().ifPresent(DatabaseSchema::restrict);
                var copy = rolledBack.file().map(Path::toString).orElse(rolledBack.schema());
                return new RolledBack(rolledBack.step().name(), rolledBack.lost(), copy);
            });
        }
    }

    private static void restrict(Path copy) {
        try {
            OwnerOnly.file(copy);
        } catch (IOException e) {
            throw new UncheckedIOException("restricting " + copy + " to its owner", e);
        }
    }

    private <T> T on(Function<Schema, T> work) {
        var address = settings.database();
        try (var schema =
                address == null
                        ? Schema.sqlite(
                                settings.data().resolve("coppice.db"), InstantSource.system())
                        : Schema.postgres(address, InstantSource.system())) {
            return schema.apply(work);
        } catch (Schema.Refused | Migrations.Misfit e) {
            throw new Refused(e);
        } catch (Schema.Unusable e) {
            throw new Refused(e, settings.database() == null ? advice() : "");
        }
    }

    private String advice() {
        var data = settings.data();
        return Files.isWritable(data)
                ? ""
                : "; nothing can be written in %s, and SQLite needs to: copy the directory"
                        .formatted(data);
    }
}
