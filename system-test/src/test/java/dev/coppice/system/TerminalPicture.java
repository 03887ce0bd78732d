package dev.coppice.system;

import java.util.List;
import java.util.regex.Pattern;

/** Draws screens of a terminal as an SVG that shows one after the other, and then begins again. */
final class TerminalPicture {
    private static final Pattern COLOUR =
            Pattern.compile("\u001b\\[(\\d+)m([^\u001b]*)\u001b\\[0m");
    private static final int COLUMNS = 88;
    private static final double CHARACTER = 8.4;
    private static final int LINE = 20;
    private static final int MARGIN = 16;
    private static final int SECONDS = 2;

    private TerminalPicture() {}

    static String of(String title, List<List<String>> screens) {
        int rows = screens.stream().mapToInt(List::size).max().orElse(1);
        int width = (int) (COLUMNS * CHARACTER) + 2 * MARGIN;
        int height = rows * LINE + 2 * MARGIN;
        var svg = new StringBuilder();
        svg.append(
                """
                <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %1$d %2$d" width="%1$d" \
                height="%2$d" role="img">
                <title>%3$s</title>
                <style>
                text { font: 14px ui-monospace, Menlo, Consolas, monospace; fill: #d6deeb; }
                .c32 { fill: #7fd88f; } .c33 { fill: #e5c07b; } .c34 { fill: #7cb7ff; }
                .c31 { fill: #ff7b85; } .c90 { fill: #8a97a8; }
                """
                        .formatted(width, height, escaped(title)));
        int all = screens.size();
        for (int i = 0; i < all; i++) {
            double from = 100.0 * i / all;
            double to = 100.0 * (i + 1) / all;
            svg.append(
                    "@keyframes s%d { 0%%, %.2f%% { opacity: 0 } %.2f%%, %.2f%% { opacity: 1 } %s }%n"
                            .formatted(
                                    i,
                                    Math.max(0, from - 0.01),
                                    from,
                                    Math.min(100, to - 0.01),
                                    i == all - 1
                                            ? ""
                                            : "%.2f%%, 100%% { opacity: 0 }".formatted(to)));
            svg.append(
                    ".s%d { animation: s%d %ds linear infinite; opacity: %d }%n"
                            .formatted(i, i, SECONDS * all, i == all - 1 ? 1 : 0));
        }
        svg.append("</style>\n<rect width=\"100%\" height=\"100%\" rx=\"8\" fill=\"#1b2330\"/>\n");
        for (int i = 0; i < all; i++) screen(svg, i, screens.get(i));
        return svg.append("</svg>\n").toString();
    }

    private static void screen(StringBuilder svg, int number, List<String> lines) {
        svg.append("<g class=\"s%d\">%n".formatted(number));
        int y = MARGIN + 14;
        for (var line : lines) {
            var text = COLOUR.matcher(escaped(line)).replaceAll("<tspan class=\"c$1\">$2</tspan>");
            svg.append("<text x=\"%d\" y=\"%d\" xml:space=\"preserve\">".formatted(MARGIN, y));
            svg.append(text).append("</text>\n");
            y += LINE;
        }
        svg.append("</g>\n");
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }
}
