package dev.coppice.hooks;

import dev.coppice.kernel.Bounds;
import dev.coppice.kernel.JsonText;
import dev.coppice.kernel.Outcome;
import dev.coppice.kernel.Rejected;
import dev.coppice.kernel.RequestRefusal;
import dev.coppice.kernel.SessionId;
import dev.coppice.observe.Observation;
import dev.coppice.observe.RecordObservations;
import dev.coppice.web.Exchange;

import java.time.InstantSource;
import java.util.List;

/** Records a declaration about a session in its history. Joins the current transaction. */
public record Declarations(RecordObservations recorder, InstantSource clock) {
    public void record(Exchange x, SessionId of, String type, Observation.Hints hints) {
        var body = x.json().toString();
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
                        clock.instant(),
                        Observation.Message.declared(new JsonText(body), bytes),
                        hints);
        var outcome = recorder.record(List.of(event), x.caller()).getFirst();
        if (outcome instanceof Outcome.Refused<Long>(var refusal)) throw new Rejected(refusal);
    }
}
