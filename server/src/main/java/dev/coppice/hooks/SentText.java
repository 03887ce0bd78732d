package dev.coppice.hooks;

import dev.coppice.observe.Observations.Sent;
import dev.coppice.wire.Json;

import tools.jackson.databind.node.ObjectNode;

/**
 * An event as the hook server returns it: the message as received, with a number, the time if it
 * had none, and the state of a person's answer if it asks for one.
 */
public final class SentText {
    private SentText() {}

    public static String of(Sent event) {
        return of(event, traits(event.body().value()));
    }

    static String of(Sent event, HookMessage.Traits traits) {
        var body = event.body().value();
        var more = Json.object();
        more.put("id", event.number());
        if (!traits.hasTime()) more.put("timestamp", event.at().toEpochMilli());
        if (traits.asks() || event.answer() != null) {
            more.set("humanInTheLoopStatus", status(event));
        }
        return traits.hasOurFields() ? merged(body, more) : spliced(body, more);
    }

    private static HookMessage.Traits traits(String body) {
        try (var parser = Json.parser(body)) {
            parser.nextToken();
            return HookMessage.read(parser).traits();
        }
    }

    /** Replaces fields of the same name, which must not appear twice. */
    private static String merged(String body, ObjectNode more) {
        var whole = Json.storedFields(body);
        more.properties().forEach(field -> whole.put(field.getKey(), field.getValue()));
        return Json.write(whole);
    }

    private static String spliced(String body, ObjectNode more) {
        return body.substring(0, body.lastIndexOf('}')) + "," + more.toString().substring(1);
    }

    private static ObjectNode status(Sent event) {
        var status = Json.object();
        var answer = event.answer();
        status.put("status", answer == null ? "pending" : "responded");
        if (answer == null) return status;
        var said = Json.read(answer.value());
        var at = said.get("respondedAt");
        if (at != null) status.set("respondedAt", at);
        status.set("response", said);
        return status;
    }
}
