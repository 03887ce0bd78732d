package dev.coppice.boot;

import dev.coppice.access.Tokens;
import dev.coppice.access.Validity;
import dev.coppice.follow.Followers;
import dev.coppice.follow.Tail;
import dev.coppice.operations.SessionOperations;
import dev.coppice.operations.removal.RemovalOperations;
import dev.coppice.request.Operation;
import dev.coppice.thread.Loops;
import dev.coppice.web.RoleCheck;

import java.time.InstantSource;
import java.util.List;

/** All operations of the server, and the parts of it that an endpoint of another protocol uses. */
public record Offer(
        List<Operation<?, ?>> operations,
        RemovalOperations removals,
        SessionOperations sessions,
        RoleCheck roles,
        Tail tail,
        Followers followers,
        Loops loops,
        Validity validity,
        Tokens tokens,
        InstantSource clock,
        String version) {
    public Offer {
        operations = List.copyOf(operations);
    }
}
