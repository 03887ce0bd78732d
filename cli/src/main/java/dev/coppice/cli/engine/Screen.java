package dev.coppice.cli.engine;

import dev.coppice.client.CoppiceClient;
import dev.coppice.client.Pause;

import java.time.Duration;
import java.util.ArrayList;
import java.util.function.Supplier;

/** Redraws what a command shows, until Ctrl-C. */
public final class Screen {
    private static final Duration REDRAW = Duration.ofSeconds(2);

    private Screen() {}

    public static Exit watch(Console console, Supplier<String> drawn) {
        try {
            while (true) {
                Console.redraw(cut(frame(drawn), console));
                Pause.of(REDRAW);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Exit.OK;
        }
    }

    private static String frame(Supplier<String> drawn) {
        try {
            return drawn.get();
        } catch (CoppiceClient.Unreachable e) {
            return e.getMessage() + "\nTrying again; Ctrl-C ends.\n";
        }
    }

    /** The lines that fit the screen. A line end in the last row would scroll the first one out. */
    private static String cut(String text, Console console) {
        var lines = text.lines().toList();
        int rows = console.size().rows() - 1;
        if (lines.size() <= rows) return text;
        var shown = new ArrayList<>(lines.subList(0, Math.max(1, rows - 1)));
        shown.add("… %d more".formatted(lines.size() - shown.size()));
        return String.join("\n", shown) + "\n";
    }
}
