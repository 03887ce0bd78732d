package dev.coppice.cli;

import dev.coppice.wire.Json;
import dev.coppice.wire.SseFrame;

import tools.jackson.databind.JsonNode;

import java.util.List;

/** Prints what happened, and what happens. */
final class Events implements Command {
    @Override
    public String name() {
        return "events";
    }

    @Override
    public Usage usage() {
        return Usage.of(
                "Print the events of a session, or of everything",
                List.of("[NAME]"),
                List.of(
                        Option.flag("follow", "go on as they happen, until Ctrl-C").as("f"),
                        Option.flag("tree", "with --follow: the session and all below it"),
                        Option.of("after", "NUMBER", "begin after this number")),
                """
                Every event has a number; --after goes on where a reader left off.
                Without a NAME everything is followed as it happens, until Ctrl-C.
                """);
    }

    @Override
    public Exit run(Args args, Console console) {
        var connection = Connection.open(args, console);
        var name = args.wordOrNull(0);
        var id = name == null ? null : Connection.part(connection.id(name));
        if (args.has("follow") || id == null) return follow(connection, id, args, console);
        var after = args.value("after");
        var query = after == null ? "" : "?after=" + Connection.part(after);
        var page = connection.get("/sessions/" + id + "/events" + query);
        if (args.has(Option.JSON)) {
            console.out().println(page);
        } else {
            for (var event : page.get("events")) console.out().println(line(event));
        }
        return Exit.OK;
    }

    private static Exit follow(
            Connection connection,
            @org.jspecify.annotations.Nullable String id,
            Args args,
            Console console) {
        var scope = id == null ? "" : (args.has("tree") ? "&subtree=" : "&session_id=") + id;
        var after = args.value("after");
        var path =
                "/sse/sessions?include_init=false"
                        + scope
                        + (after == null ? "" : "&after=" + Connection.part(after));
        connection
                .client()
                .follow(
                        path,
                        frame -> {
                            console.out()
                                    .println(args.has(Option.JSON) ? json(frame) : line(frame));
                            return true;
                        });
        return Exit.OK;
    }

    private static String json(SseFrame frame) {
        var whole = Json.object().put("number", frame.id()).put("event", frame.event());
        whole.set("data", Json.read(frame.data()));
        return whole.toString();
    }

    private static String line(SseFrame frame) {
        var data = Json.read(frame.data());
        return switch (frame.event()) {
            case "event" -> line(data.get("data").get("event"));
            case "session_created", "session_updated" -> {
                var session = data.get("session");
                yield "%-6s %-16s %s %s"
                        .formatted(
                                frame.id(),
                                frame.event(),
                                Shown.text(session, "path"),
                                Shown.text(session, "state"));
            }
            default ->
                    "%-6s %-16s %s"
                            .formatted(frame.id(), frame.event(), Shown.harmless(frame.data()));
        };
    }

    private static String line(JsonNode event) {
        return "%-6s %-16s %s %s"
                .formatted(
                        Shown.text(event, "id"),
                        Shown.text(event, "event_type"),
                        Shown.text(event, "session_id"),
                        said(event));
    }

    private static String said(JsonNode event) {
        for (var field : List.of("error", "reason", "result_text", "tool_name")) {
            if (event.hasNonNull(field)) return Shown.text(event, field).strip();
        }
        var content = event.get("content");
        if (content != null && content.isArray()) {
            var text = new StringBuilder();
            content.forEach(part -> text.append(Shown.text(part, "text")));
            return text.toString();
        }
        return "";
    }
}
