package dev.coppice.boot;

import dev.coppice.callback.CallbackDesk;
import dev.coppice.fleet.Leases;
import dev.coppice.session.Limits;

import org.jspecify.annotations.Nullable;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Set;

/**
 * Everything that can be set, with what holds when it is not. Read from the environment in one
 * place.
 */
public record Settings(
        Path data,
        int port,
        @Nullable String database,
        Duration databaseWait,
        Limits limits,
        Leases leases,
        CallbackDesk.Terms callbacks,
        Duration quotaWait,
        Duration unmatchedAfter,
        @Nullable Duration keepEvents,
        @Nullable Duration keepSessions,
        Duration undoWindow,
        Duration removalDeadline,
        Path backups,
        Map<String, String> environment,
        Set<String> hosts) {
    public static final int PORT_DEFAULT = 8765;
}
