package dev.coppice.mcp;

import dev.coppice.access.Validity;
import dev.coppice.journal.Journal;
import dev.coppice.kernel.Transactions;
import dev.coppice.operation.Operation;
import dev.coppice.operation.TopicNotifier;
import dev.coppice.operations.SessionOperations;
import dev.coppice.operations.removal.RemovalOperations;
import dev.coppice.session.Sessions;
import dev.coppice.web.RoleCheck;

import java.time.InstantSource;
import java.util.List;

import javax.crypto.SecretKey;

/** The parts of the endpoint: the operations that it offers, and the services they run in. */
public record McpParts(
        List<Operation<?, ?>> operations,
        RemovalOperations removals,
        SessionOperations sessions,
        RoleCheck roles,
        Around around) {
    public McpParts {
        operations = List.copyOf(operations);
    }

    /** The stores that subscriptions read, and the settings. {@code key} seals states. */
    public record Around(
            Transactions transactions,
            Journal journal,
            Sessions sessions,
            TopicNotifier notifier,
            Validity validity,
            SecretKey key,
            InstantSource clock,
            String version,
            boolean isConformance) {}
}
