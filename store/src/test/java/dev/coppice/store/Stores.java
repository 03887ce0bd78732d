package dev.coppice.store;

import dev.coppice.held.HeldInventory;
import dev.coppice.held.HeldStore;
import dev.coppice.kernel.Topic;
import dev.coppice.scene.Temporary;
import dev.coppice.store.engine.Database;
import dev.coppice.store.schema.Databases;
import dev.coppice.wiring.Store;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;

import org.junit.jupiter.api.Assumptions;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** The stores that the contracts run on: in memory, on SQLite, and on a real PostgreSQL. */
public enum Stores {
    MEMORY {
        @Override
        public Opened open(Consumer<Topic> onCommit) {
            var held = new HeldStore(onCommit);
            return new Opened(
                    held.ports(), () -> held.read(() -> HeldInventory.leftovers(held)), () -> {});
        }
    },
    SQLITE {
        @Override
        public Opened open(Consumer<Topic> onCommit) {
            var database = Databases.sqlite(file(), InstantSource.system(), onCommit);
            return Opened.on(database);
        }
    },
    POSTGRES {
        @Override
        public Opened open(Consumer<Topic> onCommit) {
            var database =
                    Databases.postgres(
                            address(create(Template.NAME)),
                            Duration.ZERO,
                            InstantSource.system(),
                            onCommit);
            return Opened.on(database);
        }
    };

    private static final AtomicInteger DATABASES = new AtomicInteger();

    public abstract Opened open(Consumer<Topic> onCommit);

    /** An open store, a check for leftovers, and the way to close it. */
    public record Opened(Store store, Supplier<List<?>> leftovers, Runnable closing)
            implements AutoCloseable {
        static Opened on(Database database) {
            var store = SqlStore.on(database);
            return new Opened(
                    store,
                    () -> store.transactions().read(() -> store.inventory().leftovers()),
                    database::close);
        }

        /** Closes the store, and fails if a row refers to something that is gone. */
        @Override
        public void close() {
            var found = leftovers.get();
            closing.run();
            if (!found.isEmpty()) throw new AssertionError("left over: " + found);
        }
    }

    public static Path file() {
        return Temporary.directory("coppice-store").resolve("coppice.db");
    }

    /** An empty database on one server that is started once for all tests. */
    public static String url() {
        return address(create("template1"));
    }

    private static String address(String database) {
        return Server.RUNNING.getJdbcUrl("postgres", database);
    }

    /** Creates a database as a copy of another; returns its name. */
    private static String create(String template) {
        var machine = System.getProperty("os.name") + " on " + System.getProperty("os.arch");
        Assumptions.assumeTrue(
                machine.equals("Linux on amd64"),
                "skipped: the PostgreSQL for tests is for Linux on amd64, this is " + machine);
        var name = "t" + DATABASES.incrementAndGet();
        try (var connection = DriverManager.getConnection(address("postgres"));
                var statement = connection.createStatement()) {
            statement.execute("create database %s template %s".formatted(name, template));
            return name;
        } catch (SQLException e) {
            throw new IllegalStateException("making a database", e);
        }
    }

    /** A database that is migrated once and then copied. */
    private static final class Template {
        static final String NAME = migrated();

        private static String migrated() {
            var name = create("template1");
            Databases.postgres(address(name), Duration.ZERO, InstantSource.system(), _ -> {})
                    .close();
            return name;
        }
    }

    private static final class Server {
        static final EmbeddedPostgres RUNNING = start();

        private static EmbeddedPostgres start() {
            try {
                var server =
                        EmbeddedPostgres.builder()
                                .setServerConfig("max_connections", "300")
                                .start();
                Runtime.getRuntime()
                        .addShutdownHook(
                                Thread.ofPlatform()
                                        .unstarted(() -> {
                                            try {
                                                server.close();
                                            } catch (IOException e) {
                                                throw new UncheckedIOException(e);
                                            }
                                        }));
                return server;
            } catch (IOException e) {
                throw new UncheckedIOException("starting PostgreSQL", e);
            }
        }
    }
}
