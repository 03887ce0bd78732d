package dev.coppice.hooks;

import dev.coppice.kernel.Bounds;
import dev.coppice.kernel.JsonText;
import dev.coppice.kernel.Outcome;
import dev.coppice.kernel.RequestRefusal;
import dev.coppice.kernel.SessionId;
import dev.coppice.observe.Observation;
import dev.coppice.operation.Rejected;
import dev.coppice.web.Exchange;
import dev.coppice.wire.Json;

import java.util.List;
import java.util.Objects;

/** Records what is declared of a session as an event of it. Joins the current transaction. */
record Declarations(HookRoutes.Parts parts) {
    private static final String APP = "declared";

    void record(Exchange x, SessionId of, String type, Observation.Hints hints) {
        var message = Json.object();
        message.put("source_app", Objects.requireNonNullElse(hints.app(), APP));
        message.put("session_id", of.value());
        message.put("hook_event_type", type);
        message.set("payload", x.json());
        var body = message.toString();
        int bytes = Bounds.bytesOf(body);
        if (bytes > Bounds.METADATA_BYTES_MAX) {
            throw new Rejected(
                    new RequestRefusal.TooLarge("body", bytes, Bounds.METADATA_BYTES_MAX));
        }
        var event =
                new Observation(
                        of,
                        null,
                        type,
                        parts.clock().instant(),
                        new Observation.Message(new JsonText(body), bytes),
                        hints);
        var outcome = parts.record().record(List.of(event), x.caller()).getFirst();
        if (outcome instanceof Outcome.Refused<Long>(var refusal)) throw new Rejected(refusal);
    }
}
