package dev.coppice.boot;

import dev.coppice.alerts.Webhook;
import dev.coppice.callback.CallbackPorts;
import dev.coppice.fleet.Leases;
import dev.coppice.journal.EventRetention;
import dev.coppice.operations.removal.Confirmation;
import dev.coppice.session.Limits;
import dev.coppice.wiring.Rules;

import org.jspecify.annotations.Nullable;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The settings, with defaults for those that are not set. {@link SettingsReader} reads them. */
public record Settings(
        Path data,
        int port,
        List<Integer> hookPorts,
        boolean areHookPortsOpen,
        List<Integer> pathPorts,
        @Nullable String database,
        Duration databaseWait,
        Limits limits,
        Leases leases,
        CallbackPorts.Terms callbacks,
        Duration quotaWait,
        Duration unmatchedAfter,
        List<EventRetention.Rule> keepEvents,
        @Nullable Duration keepSessions,
        Duration undoWindow,
        Duration removalDeadline,
        Confirmation confirmation,
        Path backups,
        Map<String, String> environment,
        Set<String> hosts,
        Set<String> origins,
        List<Path> transcripts,
        Ground.@Nullable Collector collector,
        Webhook.@Nullable Target alertTo) {
    public static final int PORT_DEFAULT = 8765;

    Rules.Terms terms() {
        return new Rules.Terms(
                limits, leases, callbacks, quotaWait, unmatchedAfter, undoWindow, removalDeadline);
    }
}
