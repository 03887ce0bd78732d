package dev.coppice.web;

import dev.coppice.kernel.Rejected;
import dev.coppice.kernel.RequestRefusal;
import dev.coppice.wire.Json;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Reads other bodies as JSON objects: a form has a field for each part, any other file is the field
 * {@code file}. Files are in Base64.
 */
final class Upload {
    private static final String PROTOBUF = "application/x-protobuf";

    /** The field of a body that is one file. */
    static final String FILE = "file";

    private static final String FORM = "multipart/form-data";
    private static final List<String> FILES = List.of("application/gzip", "application/x-gzip");
    private static final Pattern BOUNDARY =
            Pattern.compile("(?i)boundary=(?:\"([^\"]{1,70})\"|([^\\s;\"]{1,70}))");
    private static final Pattern NAME =
            Pattern.compile(
                    "(?i)content-disposition:[^\\r\\n]*[;\\s]name=\"([^\"\\r\\n]{1,100})\"");
    private static final int PARTS_MAX = 16;

    private Upload() {}

    private static boolean is(@Nullable String contentType) {
        return contentType != null
                && (contentType.startsWith(FORM) || FILES.contains(contentType.strip()));
    }

    /** The character set of a body. Each byte of an upload becomes the character of its number. */
    static Charset charset(@Nullable String contentType) {
        var type = lower(contentType);
        boolean isBinary = is(type) || (type != null && type.startsWith(PROTOBUF));
        return isBinary ? StandardCharsets.ISO_8859_1 : StandardCharsets.UTF_8;
    }

    private static @Nullable String lower(@Nullable String contentType) {
        return contentType == null ? null : contentType.toLowerCase(Locale.ROOT);
    }

    /** The fields of an upload; null if the body is not one. */
    static @Nullable JsonNode fields(@Nullable String contentType, String body) {
        if (contentType == null || !is(lower(contentType)) || body.isEmpty()) return null;
        if (!contentType.toLowerCase(Locale.ROOT).startsWith(FORM)) {
            return Json.tree(Map.of(FILE, encoded(body)));
        }
        var found = BOUNDARY.matcher(contentType);
        if (!found.find()) throw malformed("no boundary");
        return parts("--" + (found.group(1) == null ? found.group(2) : found.group(1)), body);
    }

    private static JsonNode parts(String delimiter, String body) {
        var fields = new LinkedHashMap<String, String>();
        var end = "\r\n" + delimiter;
        // No line break precedes the first delimiter.
        var text = "\r\n" + body;
        int at = text.indexOf(end);
        while (at >= 0) {
            int head = at + end.length();
            if (text.startsWith("--", head)) return Json.tree(fields);
            int content = text.indexOf("\r\n\r\n", head);
            int next = content < 0 ? -1 : text.indexOf(end, content + 2);
            if (next < 0) break;
            var name = NAME.matcher(text.substring(head, content + 2));
            if (!name.find()) throw malformed("a part without a name");
            if (fields.size() == PARTS_MAX)
                throw malformed("more than %d parts".formatted(PARTS_MAX));
            var value = next < content + 4 ? "" : text.substring(content + 4, next);
            fields.put(name.group(1), encoded(value));
            at = next;
        }
        throw malformed("no end");
    }

    private static String encoded(String bytes) {
        return Base64.getEncoder().encodeToString(bytes.getBytes(StandardCharsets.ISO_8859_1));
    }

    private static Rejected malformed(String what) {
        return new Rejected(
                new RequestRefusal.BadValue("body", what, "a complete form of " + FORM));
    }
}
