package dev.coppice.runner.agents;

import java.util.ArrayList;
import java.util.List;

/**
 * A parsed script. Each line is a command word, its arguments, and a block of the more deeply
 * indented lines below it. Blocks nest, so one text describes a whole tree of agents.
 */
record ParsedScript(List<Line> lines) {
    /** {@code block} is the text indented below the line, without its common indentation. */
    record Line(int number, String word, String rest, String block) {}

    static ParsedScript read(String text) {
        var source = text.lines().toList();
        var lines = new ArrayList<Line>();
        int at = 0;
        while (at < source.size()) {
            var line = source.get(at);
            if (line.isBlank() || line.strip().startsWith("#")) {
                at++;
                continue;
            }
            int end = at + 1;
            while (end < source.size() && isDeeper(source.get(end), line)) end++;
            lines.add(line(at + 1, line.strip(), source.subList(at + 1, end)));
            at = end;
        }
        return new ParsedScript(List.copyOf(lines));
    }

    private static Line line(int number, String text, List<String> block) {
        int space = text.indexOf(' ');
        var word = space < 0 ? text : text.substring(0, space);
        var rest = space < 0 ? "" : text.substring(space + 1).strip();
        return new Line(number, word, rest, String.join("\n", block).stripTrailing().stripIndent());
    }

    private static boolean isDeeper(String line, String than) {
        return line.isBlank() || indent(line) > indent(than);
    }

    private static int indent(String line) {
        return line.length() - line.stripLeading().length();
    }
}
