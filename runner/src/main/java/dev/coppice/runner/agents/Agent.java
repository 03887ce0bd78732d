package dev.coppice.runner.agents;

import dev.coppice.wire.fleet.ClaimedRun;

/** One kind of agent program. */
public interface Agent {
    Start start(ClaimedRun run);
}
