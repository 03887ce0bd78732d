package dev.coppice.blueprints;

import dev.coppice.wire.Json;

import java.util.List;

/** The blueprints that need nothing but Coppice, so that a new installation can run a tree. */
final class BuiltIn {
    private BuiltIn() {}

    static List<Definition> all() {
        return List.of(
                BlueprintText.read(
                                Json.read(
                                        """
                                        {
                                          "name": "scripted",
                                          "kind": "scripted",
                                          "description": "Plays the script in its prompt",
                                          "tags": ["built-in"]
                                        }\
                                        """))
                        .asText());
    }
}
