package dev.coppice.wire;

import java.util.Optional;

/** An event of a server-sent event stream. */
public record SseFrame(String id, String event, String data) {

    public String written() {
        var text = new StringBuilder(data.length() + 64);
        if (!id.isEmpty()) text.append("id: ").append(id).append('\n');
        text.append("event: ").append(event).append('\n');
        data.lines().forEach(line -> text.append("data: ").append(line).append('\n'));
        return text.append('\n').toString();
    }

    /** Assembles frames from the lines of a stream. */
    public static final class Reader {
        private String id = "";
        private String event = "message";
        private final StringBuilder data = new StringBuilder();

        /** Adds a line; returns the frame if the line completes one. */
        public Optional<SseFrame> line(String line) {
            if (line.isEmpty()) return complete();
            if (line.startsWith("id:")) id = value(line, 3);
            if (line.startsWith("event:")) event = value(line, 6);
            if (line.startsWith("data:")) {
                if (!data.isEmpty()) data.append('\n');
                data.append(value(line, 5));
            }
            return Optional.empty();
        }

        private Optional<SseFrame> complete() {
            var frame =
                    data.isEmpty()
                            ? Optional.<SseFrame>empty()
                            : Optional.of(new SseFrame(id, event, data.toString()));
            event = "message";
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
