package dev.coppice.bench;

import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordingFile;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;

/**
 * Records where the processor time of a benchmark goes, with the recorder of the JDK, and draws it
 * as a flame graph: one HTML file, in which a box is a method and its width the share of samples.
 */
final class Flame {
    private static final Duration INTERVAL = Duration.ofMillis(10);
    private static final double WIDTH_MIN_PERCENT = 0.1;
    private static final int ROW_PIXELS = 17;
    private final StringBuilder boxes = new StringBuilder();
    private long samples;
    private int deepest;

    private Flame() {}

    /** A method on some stacks, and what it called. */
    private static final class Node {
        private final Map<String, Node> callees = new TreeMap<>();
        private long count;
    }

    /** Runs the work and writes the graph of its time. */
    static void record(Path file, Work work) throws Exception {
        var recorded = Files.createTempFile("coppice", ".jfr");
        try (var recording = new Recording()) {
            recording.enable("jdk.ExecutionSample").withPeriod(INTERVAL);
            recording.start();
            try {
                work.run();
            } finally {
                recording.dump(recorded);
                Files.writeString(file, new Flame().page(recorded));
                System.out.println("  wrote " + file);
            }
        } finally {
            Files.deleteIfExists(recorded);
        }
    }

    /** The work that is recorded. */
    interface Work {
        void run() throws Exception;
    }

    private String page(Path recorded) throws IOException {
        var root = new Node();
        try (var events = new RecordingFile(recorded)) {
            while (events.hasMoreEvents()) add(root, events.readEvent());
        }
        samples = root.count;
        draw("all", root, 0, 0);
        return """
        <!doctype html><meta charset="utf-8"><title>Flame graph</title><style>
        body { position: relative; height: %dpx; margin: 1em; font: 11px sans-serif }
        i { position: absolute; height: 16px; overflow: hidden; white-space: nowrap;
            font-style: normal; background: hsl(calc(15 + var(--hue)) 90%% 68%%);
            outline: 1px solid #fff }
        </style><body><!-- %d samples -->
        %s
        """
                .formatted((deepest + 1) * ROW_PIXELS, samples, boxes);
    }

    private static void add(Node root, RecordedEvent event) {
        var stack = event.getStackTrace();
        if (stack == null) return;
        var node = root;
        node.count++;
        for (var frame : stack.getFrames().reversed()) {
            node = node.callees.computeIfAbsent(name(frame), _ -> new Node());
            node.count++;
        }
    }

    private static String name(RecordedFrame frame) {
        var method = frame.getMethod();
        var type = method.getType().getName();
        return type.substring(type.lastIndexOf('.') + 1) + "." + method.getName();
    }

    private void draw(String name, Node node, int depth, long before) {
        double width = 100.0 * node.count / samples;
        if (width < WIDTH_MIN_PERCENT) return;
        deepest = Math.max(deepest, depth);
        boxes.append(
                """
                <i style="left:%.3f%%;bottom:%dpx;width:%.3f%%;--hue:%d"
                    title="%5$s, %3$.2f %%">%5$s</i>
                """
                        .formatted(
                                100.0 * before / samples,
                                depth * ROW_PIXELS,
                                width,
                                name.hashCode() & 31,
                                escaped(name)));
        long at = before;
        for (var callee : node.callees.entrySet()) {
            draw(callee.getKey(), callee.getValue(), depth + 1, at);
            at += callee.getValue().count;
        }
    }

    private static String escaped(String name) {
        return name.replace("&", "&amp;").replace("<", "&lt;").replace("\"", "&quot;");
    }
}
