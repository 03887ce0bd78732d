package dev.coppice.hooks;

import dev.coppice.kernel.Outcome;
import dev.coppice.kernel.Rejected;
import dev.coppice.kernel.RequestRefusal;
import dev.coppice.observe.Observation;
import dev.coppice.wire.Json;
import dev.coppice.wire.observe.HookCalls;

import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads a batch of messages: one array, which must be complete, or lines that are read one by one.
 */
final class Batches {
    private static final RequestRefusal NO_OBJECT =
            new RequestRefusal.BadValue("event", "no object", "a JSON object");

    private Batches() {}

    static List<Outcome<Observation>> read(String text, Instant now) {
        return text.stripLeading().startsWith("[") ? array(text, now) : lines(text, now);
    }

    private static List<Outcome<Observation>> array(String text, Instant now) {
        var found = new ArrayList<Outcome<Observation>>();
        try (var parser = Json.parser(text)) {
            parser.nextToken();
            while (parser.nextToken() != JsonToken.END_ARRAY) {
                found.add(item(parser, text, now));
                // One more than the limit is enough to refuse the batch.
                if (found.size() > HookCalls.BATCH_MAX) return found;
            }
            if (parser.nextToken() != null) throw unreadable("more after the array");
        } catch (JacksonException e) {
            throw unreadable(String.valueOf(Json.unreadable(e).getMessage()));
        }
        return found;
    }

    private static Rejected unreadable(String found) {
        var rule = "an array of events, or one event on each line";
        return new Rejected(new RequestRefusal.BadValue("body", found, rule));
    }

    private static Outcome<Observation> item(JsonParser parser, String text, Instant now) {
        int from = (int) parser.currentTokenLocation().getCharOffset();
        if (parser.currentToken() != JsonToken.START_OBJECT) {
            parser.skipChildren();
            return Outcome.refused(NO_OBJECT);
        }
        var message = HookMessage.read(parser);
        int to = (int) parser.currentLocation().getCharOffset();
        return message.observed(text.substring(from, to), now);
    }

    private static List<Outcome<Observation>> lines(String text, Instant now) {
        var found = new ArrayList<Outcome<Observation>>();
        for (int from = 0; from < text.length() && found.size() <= HookCalls.BATCH_MAX; ) {
            int end = text.indexOf('\n', from);
            int to = end < 0 ? text.length() : end;
            var line = text.substring(from, to).strip();
            if (!line.isEmpty()) found.add(line(line, now));
            from = to + 1;
        }
        return found;
    }

    private static Outcome<Observation> line(String line, Instant now) {
        try (var parser = Json.parser(line)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) return Outcome.refused(NO_OBJECT);
            var message = HookMessage.read(parser);
            if (parser.nextToken() != null) return Outcome.refused(NO_OBJECT);
            return message.observed(line, now);
        } catch (JacksonException e) {
            var why = String.valueOf(Json.unreadable(e).getMessage());
            return Outcome.refused(new RequestRefusal.BadValue("event", why, "a JSON object"));
        }
    }
}
