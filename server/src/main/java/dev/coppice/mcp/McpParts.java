package dev.coppice.mcp;

import dev.coppice.access.Validity;
import dev.coppice.follow.Followers;
import dev.coppice.follow.Tail;
import dev.coppice.operation.Operation;
import dev.coppice.operations.SessionOperations;
import dev.coppice.operations.removal.RemovalOperations;
import dev.coppice.thread.Loops;
import dev.coppice.web.RoleCheck;

import org.jspecify.annotations.Nullable;

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

    /** The journal that subscriptions follow, and the settings. {@code key} seals states. */
    public record Around(
            Tail tail,
            Followers followers,
            Loops loops,
            Validity validity,
            SecretKey key,
            InstantSource clock,
            String version,
            Examples.@Nullable Maker examples) {}
}
