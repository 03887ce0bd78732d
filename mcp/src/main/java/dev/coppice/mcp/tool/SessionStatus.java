package dev.coppice.mcp.tool;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;

import dev.coppice.access.Need;
import dev.coppice.kernel.Outcome;
import dev.coppice.request.Context;
import dev.coppice.request.Operation;
import dev.coppice.wire.Call;
import dev.coppice.wire.Descriptions;
import dev.coppice.wire.Field;
import dev.coppice.wire.Json;
import dev.coppice.wire.look.ActivityCalls;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Map;
import java.util.Set;

/** The tool {@code get_session_status}: how a session is doing and, if asked, each agent below. */
public final class SessionStatus {
    private final Operation<?, ?> whole;
    private final Operation<?, ?> each;

    public SessionStatus(List<Operation<?, ?>> operations) {
        this.whole = OperationTools.operation(operations, ActivityCalls.READ);
        this.each = OperationTools.operation(operations, ActivityCalls.LIST);
    }

    /** Selects a session. */
    record Of(
            @Field(Descriptions.SESSION) String sessionId,
            @Field(
                            value =
                                    "true also shows each agent below that is alive, and those that"
                                            + " failed within the last hour",
                            fallback = "false")
                    boolean includeAgents) {}

    /** The status of a session. */
    record Seen(
            @JsonUnwrapped ActivityCalls.OfTree status,
            @JsonInclude(JsonInclude.Include.NON_NULL)
                    @Field("the agents below, first what a person should look at")
                    @Nullable List<ActivityCalls.HealthView> agents) {}

    public Tool<?, ?> tool() {
        var call =
                Call.get("get_session_status", "/mcp", Of.class, Seen.class, whole.call().says());
        return new Tool<>(
                new Tool.Listing(
                        call.name(),
                        "See how a session is doing",
                        "Shows state, health, use of processor and memory, tokens and errors of a"
                                + " session and of all below it; with include_agents also of each"
                                + " agent.",
                        Seen.class,
                        Map.of(),
                        Set.of()),
                Operation.of(call, Need.READ, this::seen),
                Tool.Answer::whole);
    }

    private Outcome<Seen> seen(Context context, Of in) {
        var id = in.sessionId();
        return OperationTools.performed(context, whole, Map.of(Arguments.SESSION_ID, id))
                .map(found -> Json.as(found, ActivityCalls.OfTree.class))
                .then(status ->
                        in.includeAgents()
                                ? agents(context, id).map(agents -> new Seen(status, agents))
                                : Outcome.done(new Seen(status, null)));
    }

    private Outcome<List<ActivityCalls.HealthView>> agents(Context context, String id) {
        var all =
                Map.<String, Object>of(
                        Arguments.SESSION_ID, id, "limit", ActivityCalls.SESSIONS_MAX);
        return OperationTools.performed(context, each, all)
                .map(found -> Json.as(found, ActivityCalls.Active.class).sessions())
                .map(sessions -> sessions.stream().filter(s -> !s.sessionId().equals(id)).toList());
    }
}
