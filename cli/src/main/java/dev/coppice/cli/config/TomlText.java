package dev.coppice.cli.config;

import dev.coppice.cli.engine.Args;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * The text of a configuration file, in which one setting can be changed; every other line stays.
 * The changed text is parsed again and compared.
 */
record TomlText(Path file, String text) {
    private static final Pattern PLAIN = Pattern.compile("true|false|0|-?[1-9][0-9]{0,17}");

    /** This text with a line for the setting; with none if the line is null. */
    TomlText with(String name, @Nullable String line) {
        var before = ConfigFile.parsed(file, text);
        var others = new HashMap<>(before);
        others.remove(name);
        var lines = new ArrayList<>(text.lines().toList());
        int at = lines.size();
        if (before.containsKey(name)) {
            at = indexOf(lines, name);
            remove(lines, at, others);
        }
        if (line != null) lines.add(Math.min(at, lines.size()), line);
        var changed = new TomlText(file, String.join("\n", lines) + "\n");
        var now = ConfigFile.parsed(file, changed.text);
        if (line != null) now.remove(name);
        if (!now.equals(others)) throw unchangeable(name);
        return changed;
    }

    private int indexOf(List<String> lines, String name) {
        var begin = Pattern.compile("\\s*[\"']?" + Pattern.quote(name) + "[\"']?\\s*=.*");
        for (int i = 0; i < lines.size(); i++) {
            if (begin.matcher(lines.get(i)).matches()) return i;
        }
        throw unchangeable(name);
    }

    /** Removes the lines of a setting: as many as leave the others as they are. */
    private void remove(List<String> lines, int at, Map<String, JsonNode> others) {
        var rest = new ArrayList<>(lines);
        while (rest.size() > at) {
            rest.remove(at);
            if (isParsedAs(others, String.join("\n", rest))) {
                lines.clear();
                lines.addAll(rest);
                return;
            }
        }
        throw unchangeable(file.toString());
    }

    private boolean isParsedAs(Map<String, JsonNode> expected, String candidate) {
        try {
            return ConfigFile.parsed(file, candidate).equals(expected);
        } catch (BadConfiguration _) {
            return false;
        }
    }

    private Args.Invalid unchangeable(String what) {
        return new Args.Invalid(
                "%s cannot be changed in %s by this command; edit the file".formatted(what, file));
    }

    /** The line that sets a value. */
    static String line(String name, String value) {
        return name + " = " + (PLAIN.matcher(value).matches() ? value : quoted(value));
    }

    /** The line that refers to a file with the value. */
    static String reference(String name, Path from) {
        return "%s = { file = %s }".formatted(name, quoted(from.toString()));
    }

    private static String quoted(String value) {
        var quoted = new StringBuilder("\"");
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c == '"' || c == '\\') quoted.append('\\').append(c);
            else if (c < ' ' || c == 127) quoted.append("\\u%04x".formatted((int) c));
            else quoted.append(c);
        }
        return quoted.append('"').toString();
    }
}
