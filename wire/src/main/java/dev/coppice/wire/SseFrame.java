package dev.coppice.wire;

import java.util.Optional;

/** An event of a server-sent event stream. */
public record SseFrame(String id, String event, String data) {

    public String written() {
        var text = new StringBuilder(data.length() + 64);
        if (!id.isEmpty()) text.append("id: ").append(id).append('\n');
        text.append("event: ").append(event).append('\n');
        data.lines().forEach(line -> text.append("data: ").append(line).append('\n'));
        if (data.endsWith("\n")) text.append("data:\n");
        return text.append('\n').toString();
    }

    /** Assembles frames from the lines of a stream. */
    public static final class Reader {
        private static final String USUAL = "message";
        private String id = "";
        private String event = USUAL;
        private final StringBuilder data = new StringBuilder();

        /** The last id, which holds for the next frames too. */
        public String id() {
            return id;
        }

        /** Adds a line; returns the frame if the line completes one. */
        public Optional<SseFrame> line(String line) {
            if (line.isEmpty()) return complete();
            int colon = line.indexOf(':');
            var value = colon < 0 ? "" : value(line, colon + 1);
            switch (colon < 0 ? line : line.substring(0, colon)) {
                case "id" -> id = value;
                case "event" -> event = value.isEmpty() ? USUAL : value;
                case "data" -> data.append('\n').append(value);
                default -> {
                    // A comment, or a field of a newer program.
                }
            }
            return Optional.empty();
        }

        /** Returns the frame; empty without data, as after a comment that keeps a line open. */
        private Optional<SseFrame> complete() {
            var frame =
                    data.length() < 2
                            ? Optional.<SseFrame>empty()
                            : Optional.of(new SseFrame(id, event, data.substring(1)));
            event = USUAL;
            data.setLength(0);
            return frame;
        }

        private static String value(String line, int from) {
            return line.length() > from && line.charAt(from) == ' '
                    ? line.substring(from + 1)
                    : line.substring(from);
        }
    }
}
