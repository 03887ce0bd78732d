package dev.coppice.registry;

import dev.coppice.wire.Json;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.Map;

/** A field of a document that has a file of its own beside it. */
sealed interface Side {
    /** The key under which programs expect MCP servers in a file. */
    String MCP_SERVERS = "mcpServers";

    String field();

    /** The name of the file; null if the document does not name it. */
    @Nullable String file(JsonNode document);

    /** The name of the file, if it is the same for every entry. */
    default @Nullable String fixed() {
        return file(Json.object());
    }

    /** The text of the file; null if this value has no file. */
    @Nullable String write(JsonNode value);

    JsonNode read(String text);

    /** A long text, such as a system prompt. */
    record Text(String field, String name) implements Side {
        @Override
        public String file(JsonNode document) {
            return name;
        }

        @Override
        public String write(JsonNode value) {
            return value.asString();
        }

        @Override
        public JsonNode read(String text) {
            return Json.tree(text);
        }
    }

    /** A file that exists while the field has a certain value. */
    record Mark(String field, String name, String value) implements Side {
        @Override
        public String file(JsonNode document) {
            return name;
        }

        @Override
        public @Nullable String write(JsonNode given) {
            return value.equals(given.asString("")) ? "" : null;
        }

        @Override
        public JsonNode read(String text) {
            return Json.tree(value);
        }
    }

    /** A text whose file is named by another field of the document. */
    record Named(String field, String nameField) implements Side {
        @Override
        public @Nullable String file(JsonNode document) {
            return Json.textIfAny(document, nameField);
        }

        @Override
        public String write(JsonNode value) {
            return value.asString();
        }

        @Override
        public JsonNode read(String text) {
            return Json.tree(text);
        }
    }

    /** MCP servers, in the form in which agent programs read them. */
    record McpServers(String field, String name) implements Side {
        @Override
        public String file(JsonNode document) {
            return name;
        }

        @Override
        public String write(JsonNode value) {
            return Json.pretty(Json.tree(Map.of(MCP_SERVERS, value))) + "\n";
        }

        @Override
        public JsonNode read(String text) {
            var servers = Json.read(text).get(MCP_SERVERS);
            return servers instanceof ObjectNode ? servers : Json.object();
        }
    }
}
