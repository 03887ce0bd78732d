package dev.coppice.blueprints;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;

import java.util.regex.Pattern;

/**
 * Hides the keys of tool servers, which stand in arguments and in any part of an address. The
 * program, the names of options, placeholders, and the scheme, host and port of an address stay
 * visible, so that a reader can tell which server it is.
 */
public final class Concealed {
    private static final Pattern PLACEHOLDER = Pattern.compile("\\$\\{[^}]+}");

    /** After one hyphen only one letter is a name: the rest of {@code -pSECRET} may be a value. */
    private static final Pattern OPTION =
            Pattern.compile("(-[A-Za-z]|--[A-Za-z][A-Za-z0-9_-]*)(=.*)?", Pattern.DOTALL);

    private static final Pattern ADDRESS =
            Pattern.compile(
                    "([A-Za-z][A-Za-z0-9+.-]*://)(?:[^/?#]*@)?([^/?#@]+)(.*)", Pattern.DOTALL);

    private Concealed() {}

    /** Puts {@code instead} in place of what may be a secret of these servers. */
    public static void servers(JsonNode servers, String instead) {
        for (var server : servers) server(server, instead);
    }

    /** Puts {@code instead} in place of what may be a secret of this server. */
    public static void server(JsonNode server, String instead) {
        if (!(server instanceof ObjectNode object)) return;
        if (object.path("url").isString()) {
            object.put("url", address(object.path("url").asString(), instead));
        }
        if (object.path("command").isString()) {
            object.put("command", program(object.path("command").asString(), instead));
        }
        if (object.path("args") instanceof ArrayNode arguments) {
            for (int i = 0; i < arguments.size(); i++) {
                var shown = argument(arguments.get(i).asString(""), instead);
                arguments.set(i, StringNode.valueOf(shown));
            }
        }
    }

    private static String address(String url, String instead) {
        if (PLACEHOLDER.matcher(url).matches()) return url;
        var parts = ADDRESS.matcher(url);
        // A slash in a password ends the host too early, so hide the whole address.
        if (!parts.matches() || parts.group(3).contains("@")) return instead;
        var rest = parts.group(3);
        var shown = rest.isEmpty() || rest.equals("/") ? rest : "/" + instead;
        return parts.group(1) + parts.group(2) + shown;
    }

    private static String program(String command, String instead) {
        var words = command.strip().split("\\s", 2);
        return words.length == 1 ? words[0] : words[0] + " " + instead;
    }

    private static String argument(String argument, String instead) {
        if (PLACEHOLDER.matcher(argument).matches()) return argument;
        var option = OPTION.matcher(argument);
        if (!option.matches()) return instead;
        return option.group(2) == null ? argument : option.group(1) + "=" + instead;
    }
}
