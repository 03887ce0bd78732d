package dev.coppice.cli.removal;

import dev.coppice.cli.engine.Connection;
import dev.coppice.wire.Length;
import dev.coppice.wire.removal.RemovalCalls;
import dev.coppice.wire.session.SessionView;

import org.jspecify.annotations.Nullable;

import java.util.List;

/** The conditions that the trees of a removal meet. */
record Candidates(
        boolean ended, @Nullable Length olderThan, @Nullable String match, @Nullable String below) {
    List<SessionView> all(Connection connection) {
        return connection.pages(
                RemovalCalls.CHOOSE,
                page -> new RemovalCalls.Choose(ended, olderThan, match, below, page),
                RemovalCalls.Chosen::sessions,
                RemovalCalls.Chosen::next);
    }
}
