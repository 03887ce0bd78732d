package dev.coppice.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.originals.foreign.ForeignTrees;
import dev.coppice.wire.Json;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Instant;

/** Makes databases of the older systems, and imports them. */
final class Imports {
    private Imports() {}

    static Path database(Path directory, String script) throws SQLException {
        var file = directory.resolve("foreign.db");
        try (var connection = DriverManager.getConnection("jdbc:sqlite:" + file);
                var statement = connection.createStatement()) {
            for (var sql : script.split(";\\s*\\n", -1)) {
                if (!sql.isBlank()) statement.execute(sql);
            }
        }
        return file;
    }

    static void bringIn(Caller server, ForeignTrees trees) throws Exception {
        var backups = Files.createDirectories(server.directory().resolve("backups"));
        for (var root : trees.roots()) {
            var name = "import-" + root + ".coppice";
            trees.write(root, backups.resolve(name), Instant.parse("2026-01-02T00:00:00Z"));
            var begun = server.post("/restores", Json.object().put("file", name).toString());
            var ended = server.get("/removals/" + Caller.text(begun, "removal_id") + "?wait=20s");
            assertThat(Caller.text(ended, "state")).isEqualTo("undone");
        }
    }
}
