package dev.coppice.client;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads plain JSON: texts, whole numbers, constants, lists and objects, as strings, longs,
 * booleans, {@link Nothing}, lists and maps. At anything else, and at any doubt, it gives up, and
 * Jackson reads the text. Jackson takes a command twenty milliseconds before its first character.
 */
final class PlainJson {
    /** JSON's null. */
    enum Nothing {
        NULL
    }

    /** Jackson says what is wrong with deeper values. */
    private static final int DEPTH_MAX = 100;

    /** Longer numbers may not fit. */
    private static final int DIGITS_MAX = 18;

    private static final char END = '\0';
    private static final String ESCAPES = "\"\\/bfnrt";
    private static final String ESCAPED = "\"\\/\b\f\n\r\t";

    private final String text;
    private int at;

    private PlainJson(String text) {
        this.text = text;
    }

    /** The value of a text; null if it is not that plain. */
    static @Nullable Object read(String text) {
        var reader = new PlainJson(text);
        var value = reader.value(0);
        return value == null || reader.next() != END || reader.at < text.length() ? null : value;
    }

    /** The next character that is no space. It is not consumed. */
    private char next() {
        while (at < text.length()) {
            char each = text.charAt(at);
            if (each != ' ' && each != '\n' && each != '\r' && each != '\t') return each;
            at++;
        }
        return END;
    }

    /** True if the next character is the given one, which is then consumed. */
    private boolean takes(char wanted) {
        if (next() != wanted) return false;
        at++;
        return true;
    }

    private @Nullable Object value(int depth) {
        if (depth > DEPTH_MAX) return null;
        return switch (next()) {
            case '{' -> object(depth);
            case '[' -> list(depth);
            case '"' -> string();
            case 't' -> constant("true", true);
            case 'f' -> constant("false", false);
            case 'n' -> constant("null", Nothing.NULL);
            default -> number();
        };
    }

    private @Nullable Object constant(String word, Object value) {
        if (!text.startsWith(word, at)) return null;
        at += word.length();
        return value;
    }

    private @Nullable Map<String, Object> object(int depth) {
        var object = new LinkedHashMap<String, Object>();
        at++;
        if (takes('}')) return object;
        do {
            var name = next() == '"' ? string() : null;
            if (name == null || !takes(':')) return null;
            var value = value(depth + 1);
            if (value == null) return null;
            object.put(name, value);
        } while (takes(','));
        return takes('}') ? object : null;
    }

    private @Nullable List<Object> list(int depth) {
        var list = new ArrayList<Object>();
        at++;
        if (takes(']')) return list;
        do {
            var value = value(depth + 1);
            if (value == null) return null;
            list.add(value);
        } while (takes(','));
        return takes(']') ? list : null;
    }

    /** Escapes by number are rare. */
    private @Nullable String string() {
        at++;
        StringBuilder before = null;
        int from = at;
        while (at < text.length() && text.charAt(at) >= ' ') {
            char each = text.charAt(at);
            if (each == '"') {
                var last = text.substring(from, at);
                at++;
                return before == null ? last : before.append(last).toString();
            }
            if (each == '\\') {
                if (before == null) before = new StringBuilder();
                before.append(text, from, at);
                at++;
                int escape = at == text.length() ? -1 : ESCAPES.indexOf(text.charAt(at));
                if (escape < 0) return null;
                before.append(ESCAPED.charAt(escape));
                from = at + 1;
            }
            at++;
        }
        return null;
    }

    private @Nullable Object number() {
        boolean isNegative = takes('-');
        int from = at;
        long value = 0;
        while (at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9') {
            if (at - from == DIGITS_MAX) return null;
            value = value * 10 + (text.charAt(at) - '0');
            at++;
        }
        // A fraction or an exponent is no end of a value: what follows is refused.
        int digits = at - from;
        boolean isWhole = digits == 1 || (digits > 1 && text.charAt(from) != '0');
        return isWhole ? (Object) (isNegative ? -value : value) : null;
    }
}
