package dev.coppice.cli.session;

import dev.coppice.cli.engine.Args;
import dev.coppice.cli.engine.Command;
import dev.coppice.cli.engine.Connection;
import dev.coppice.cli.engine.Console;
import dev.coppice.cli.engine.Exit;
import dev.coppice.cli.engine.Option;
import dev.coppice.cli.engine.Shown;
import dev.coppice.cli.engine.Usage;
import dev.coppice.wire.Json;
import dev.coppice.wire.SseFrame;
import dev.coppice.wire.session.EventCalls;
import dev.coppice.wire.session.EventView;
import dev.coppice.wire.session.LiveFrames;
import dev.coppice.wire.session.SessionBody;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.util.List;

/** Prints events from the journal, or as they happen. */
public final class Events implements Command {
    @Override
    public String name() {
        return "events";
    }

    @Override
    public Usage usage() {
        return Usage.of(
                "Print the events of a session, or follow all events",
                List.of("[NAME]"),
                List.of(
                        Option.flag("follow", "keep printing new events, until Ctrl-C").as("f"),
                        Option.flag("tree", "with --follow: include all sessions below"),
                        Option.of("after", "NUMBER", "start after the event with this number")),
                """
                Every event has a number; pass the last one that you read as --after to continue.
                Without NAME, follows the events of all sessions until Ctrl-C.
                """);
    }

    @Override
    public Exit run(Args args, Console console) {
        var connection = Connection.open(args, console);
        var name = args.wordOrNull(0);
        var id = name == null ? null : connection.id(name);
        if (args.has("follow") || id == null) return follow(connection, id, args, console);
        var find = new EventCalls.Find(id, args.number("after"), null, 100);
        var page = connection.ask(EventCalls.LIST, find);
        if (args.has(Option.JSON)) console.out().println(page.body());
        else page.value().events().forEach(event -> console.out().println(line(event)));
        return Exit.OK;
    }

    private static Exit follow(
            Connection connection, @Nullable String id, Args args, Console console) {
        boolean tree = args.has("tree");
        var follow =
                new EventCalls.Follow(
                        tree ? null : id, tree ? id : null, null, args.number("after"), false);
        connection
                .client()
                .follow(
                        EventCalls.FOLLOW,
                        follow,
                        frame -> {
                            console.out()
                                    .println(args.has(Option.JSON) ? json(frame) : line(frame));
                            return true;
                        });
        return Exit.OK;
    }

    private record Line(String number, String event, JsonNode data) {}

    private static String json(SseFrame frame) {
        return Json.write(new Line(frame.id(), frame.event(), Json.read(frame.data())));
    }

    private static String line(SseFrame frame) {
        return switch (frame.event()) {
            case "event" -> line(Json.as(frame.data(), LiveFrames.Told.class).data().event());
            case "session_created", "session_updated" -> {
                var session = Json.as(frame.data(), SessionBody.class).session();
                yield "%-6s %-16s %s %s"
                        .formatted(
                                frame.id(),
                                frame.event(),
                                Shown.clean(session.path()),
                                session.state());
            }
            default ->
                    "%-6s %-16s %s".formatted(frame.id(), frame.event(), Shown.clean(frame.data()));
        };
    }

    private static String line(EventView event) {
        return "%-6s %-16s %s %s"
                .formatted(
                        event.id(),
                        Shown.clean(event.eventType()),
                        Shown.clean(event.sessionId()),
                        detail(event));
    }

    private static String detail(EventView event) {
        for (var field : List.of("error", "reason", "result_text", "tool_name")) {
            var value = event.details().get(field);
            if (value != null && !value.isNull()) {
                return Shown.clean(value.isValueNode() ? value.asString() : value.toString())
                        .strip();
            }
        }
        var content = event.details().get("content");
        if (content != null && content.isArray()) {
            var text = new StringBuilder();
            content.forEach(part -> text.append(Shown.clean(Json.text(part, "text"))));
            return text.toString();
        }
        return "";
    }
}
