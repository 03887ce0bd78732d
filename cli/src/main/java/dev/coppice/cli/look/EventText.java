package dev.coppice.cli.look;

import dev.coppice.cli.engine.Args;
import dev.coppice.cli.engine.Connection;
import dev.coppice.cli.engine.Option;
import dev.coppice.cli.engine.Shown;
import dev.coppice.client.CoppiceClient;
import dev.coppice.wire.Json;
import dev.coppice.wire.SseFrame;
import dev.coppice.wire.event.EventView;
import dev.coppice.wire.event.LiveFrames;
import dev.coppice.wire.event.Saying;
import dev.coppice.wire.session.SessionBody;
import dev.coppice.wire.session.SessionCalls;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Events as lines: number, local time, session, type, and text. */
final class EventText {
    private static final DateTimeFormatter CLOCK = DateTimeFormatter.ofPattern("HH:mm:ss");
    private static final DateTimeFormatter DAY = DateTimeFormatter.ofPattern("MM-dd HH:mm:ss");

    /** The most informative fields of an event, in this order. */
    private static final List<String> TELLING =
            List.of("error", "reason", "result_text", "detail", "message", "text", "said");

    static final Option ALL = Option.flag("all", "also the events that only keep account");

    /** True if nothing is to be left out: programs read all, and types are asked for. */
    static boolean isWhole(Args args) {
        return args.has(ALL) || args.has(Option.JSON) || args.value("type") != null;
    }

    /** The event of a frame; null if the frame tells of something else. */
    static @Nullable EventView told(SseFrame frame) {
        return frame.event().equals("event")
                ? Json.as(frame.data(), LiveFrames.Told.class).data()
                : null;
    }

    private final Connection connection;
    private final Map<String, String> names = new HashMap<>();
    private final Instant today;

    EventText(Connection connection, Instant now) {
        this.connection = connection;
        this.today = now.minusSeconds(12 * 3600);
    }

    String line(SseFrame frame) {
        return switch (frame.event()) {
            case "event" -> line(Json.as(frame.data(), LiveFrames.Told.class).data());
            case "session_created", "session_updated" -> {
                var session = Json.as(frame.data(), SessionBody.class).session();
                names.put(session.sessionId(), session.sessionName());
                var why = Shown.line(session.reason());
                var state = session.state() + (why.isEmpty() ? "" : ": " + why);
                yield line(
                        frame.id(),
                        now(session.endedAt()),
                        session.sessionName(),
                        frame.event(),
                        state);
            }
            case "run_failed" -> {
                var failed = Json.as(frame.data(), LiveFrames.Failed.class);
                yield line(
                        frame.id(),
                        now(null),
                        name(failed.sessionId()),
                        frame.event(),
                        failed.error());
            }
            case "session_deleted", "session_restored" ->
                    line(Json.as(frame.data(), EventView.class));
            default -> line(frame.id(), now(null), "", frame.event(), frame.data());
        };
    }

    private static Instant now(@Nullable String at) {
        return at == null ? java.time.InstantSource.system().instant() : Instant.parse(at);
    }

    String line(EventView event) {
        return line(
                Long.toString(event.id()),
                time(event),
                name(event.sessionId()),
                event.eventType(),
                detail(event));
    }

    private String line(String number, Instant at, String name, String type, String text) {
        return "%-6s %s  %-16s %-18s %s"
                .formatted(
                        number,
                        clock(at),
                        Shown.clean(name),
                        Shown.clean(type),
                        Shown.clean(text).strip().replace("\n", " ⏎ "))
                .stripTrailing();
    }

    /** Returns the local time, with the day if it is more than 12 hours ago. */
    String clock(Instant at) {
        return (at.isBefore(today) ? DAY : CLOCK).format(at.atZone(ZoneId.systemDefault()));
    }

    /** Returns the time that the sender gave; the epoch if that is invalid. */
    static Instant time(EventView event) {
        try {
            return Instant.parse(event.timestamp());
        } catch (DateTimeParseException _) {
            return Instant.EPOCH;
        }
    }

    /** Returns the name of a session, which it reads once; its id if it is gone. */
    String name(String id) {
        return names.computeIfAbsent(id, this::ask);
    }

    private String ask(String id) {
        try {
            var answer = connection.client().call(SessionCalls.READ, new SessionCalls.At(id));
            return answer.isGood() ? answer.value().session().sessionName() : id;
        } catch (CoppiceClient.Unreachable _) {
            return id;
        }
    }

    /** Returns the most informative part of an event. */
    static String detail(EventView event) {
        for (var field : TELLING) {
            var value = event.details().get(field);
            if (value != null && !value.isNull()) return Shown.value(value);
        }
        var content = event.details().get("content");
        if (content != null && content.isArray()) return Saying.content(content);
        return rest(event);
    }

    /** Other details of the event, such as the state of a callback or the name of a tool. */
    private static String rest(EventView event) {
        var text = new StringBuilder();
        event.details()
                .forEach((name, value) -> {
                    if (value.isNull() || name.equals("role")) return;
                    text.append(text.isEmpty() ? "" : " ")
                            .append(name)
                            .append('=')
                            .append(Shown.value(value));
                });
        return text.toString();
    }
}
