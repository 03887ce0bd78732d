package dev.coppice.store;

import org.jspecify.annotations.Nullable;
import org.sqlite.JDBC;
import org.sqlite.ProgressHandler;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.DriverPropertyInfo;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.logging.Logger;

/**
 * Counts the steps of SQLite's virtual machine. Each row that a statement touches takes some of
 * them, also if it only counts, skips or sorts it, or a trigger or a foreign key does. So they tell
 * whether the work of a request grows with the database, and unlike times they do not vary.
 *
 * <p>The connections belong to the store, so a driver in front of SQLite's counts.
 */
public final class Steps {
    private static final int COUNTED_AT_ONCE = 20;

    /** Sweeps work beside a request; in one of so many tries hardly any does. */
    private static final int TRIES = 5;

    private static final Map<String, AtomicLong> WATCHED = new ConcurrentHashMap<>();
    private static final boolean IN_FRONT = putInFront();

    private final AtomicLong counted;

    private Steps(AtomicLong counted) {
        this.counted = counted;
    }

    /** Counts for the connections to this file that are opened from now on. */
    public static Steps of(Path file) {
        if (!IN_FRONT) throw new IllegalStateException("the driver that counts is not registered");
        return new Steps(WATCHED.computeIfAbsent("jdbc:sqlite:" + file, _ -> new AtomicLong()));
    }

    /** Returns the steps of the cheapest of some tries. */
    public long during(Runnable work) {
        long least = Long.MAX_VALUE;
        for (int i = 0; i < TRIES; i++) {
            long before = counted.get();
            work.run();
            least = Math.min(least, counted.get() - before);
        }
        return least;
    }

    /** The first driver that accepts an address gets it. At no moment is there no driver. */
    private static boolean putInFront() {
        try {
            var others = DriverManager.drivers().filter(JDBC.class::isInstance).toList();
            DriverManager.registerDriver(new Counting());
            DriverManager.registerDriver(new JDBC());
            for (var other : others) DriverManager.deregisterDriver(other);
            return true;
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static final class Counting implements Driver {
        private final JDBC real = new JDBC();

        @Override
        public @Nullable Connection connect(String url, Properties info) throws SQLException {
            var count = WATCHED.get(url);
            if (count == null) return null;
            var connection = real.connect(url, info);
            ProgressHandler.setHandler(connection, COUNTED_AT_ONCE, new Adding(count));
            return connection;
        }

        @Override
        public boolean acceptsURL(String url) {
            return WATCHED.containsKey(url);
        }

        @Override
        public DriverPropertyInfo[] getPropertyInfo(String url, Properties info)
                throws SQLException {
            return real.getPropertyInfo(url, info);
        }

        @Override
        public int getMajorVersion() {
            return real.getMajorVersion();
        }

        @Override
        public int getMinorVersion() {
            return real.getMinorVersion();
        }

        @Override
        public boolean jdbcCompliant() {
            return false;
        }

        @Override
        public Logger getParentLogger() throws SQLFeatureNotSupportedException {
            return real.getParentLogger();
        }
    }

    private static final class Adding extends ProgressHandler {
        private final AtomicLong count;

        Adding(AtomicLong count) {
            this.count = count;
        }

        @Override
        protected int progress() {
            count.addAndGet(COUNTED_AT_ONCE);
            return 0;
        }
    }
}
