package dev.coppice.operations.fleet;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.coppice.access.Caller;
import dev.coppice.access.Role;
import dev.coppice.kernel.Rejected;
import dev.coppice.kernel.RunnerId;
import dev.coppice.kernel.SessionId;
import dev.coppice.request.TopicNotifier;
import dev.coppice.wire.fleet.OutputOrder;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;

/** The number of reads of output that one caller has open. */
class OutputReadsTest {
    private final OutputReads reads = new OutputReads(new TopicNotifier());
    private final RunnerId runner = new RunnerId("runner");
    private int orders;

    private OutputReads.Asked ask(Caller caller) {
        var order = new OutputOrder("order_" + orders++, "run_1", 0, 0, 1_000, 1_000);
        return reads.ask(caller, runner, order);
    }

    @Test
    void an_agent_has_sixteen_reads_at_once_and_delays_nobody_else() {
        var agent = Caller.agent(new SessionId("a"));
        var open = new ArrayList<OutputReads.Asked>();
        for (int i = 0; i < 16; i++) open.add(ask(agent));
        assertThatThrownBy(() -> ask(agent)).isInstanceOf(Rejected.class);
        ask(Caller.as(Role.OPERATOR));
        ask(Caller.agent(new SessionId("b")));
        reads.close(open.getFirst());
        ask(agent);
        assertThatThrownBy(() -> ask(agent)).isInstanceOf(Rejected.class);
    }
}
