package dev.coppice.runner.drive.dialect;

import dev.coppice.wire.Json;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/** The file of MCP servers in the form of each program. */
final class ServerFile {
    private ServerFile() {}

    /** The servers of the file; none without a file. */
    static JsonNode read(@Nullable String file) {
        if (file == null) return Json.object();
        try {
            return Json.read(Files.readString(Path.of(file))).path("mcpServers");
        } catch (IOException e) {
            throw new UncheckedIOException("reading " + file, e);
        }
    }

    static Map<String, Object> forCodex(@Nullable String file) {
        var all = new LinkedHashMap<String, Object>();
        for (var server : read(file).properties()) {
            var value = server.getValue();
            var fields = new LinkedHashMap<String, Object>();
            if (value.has("url")) {
                fields.put("url", value.get("url"));
                if (value.has("headers")) fields.put("http_headers", value.get("headers"));
            } else {
                for (var field : value.properties()) {
                    if (!field.getKey().equals("type")) {
                        fields.put(field.getKey(), field.getValue());
                    }
                }
            }
            all.put(server.getKey(), fields);
        }
        return all;
    }
}
