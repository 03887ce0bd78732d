package dev.coppice.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.coppice.removal.TreeRows.Table;
import dev.coppice.scene.Temporary;
import dev.coppice.wire.Json;

import org.junit.jupiter.api.Test;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.util.RawValue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/** A backup may come from anywhere, so its values are bounded before they are made. */
class BackupFileTest {
    private static final int MANY = 1_000_000;

    private final Path file = Temporary.directory("coppice-bounds").resolve("a.coppice");

    private static Manifest manifest(List<Manifest.Entry> entries) {
        var top = new Manifest.Top("a", "a", null);
        var about = Manifest.MadeFor.IMPORT;
        return new Manifest(
                Manifest.FORMAT, Manifest.VERSION, null, top, entries, about, List.of(), null);
    }

    private void write(Object line) throws IOException {
        try (var writer = new BackupWriter(file)) {
            writer.begin(BackupFile.entry(Table.SESSIONS));
            writer.line(line);
            writer.end();
            writer.finish(manifest(writer.entries()));
        }
    }

    private List<JsonNode> rows() throws BackupFile.Damaged {
        var rows = new ArrayList<JsonNode>();
        try (var backup = BackupFile.open(file)) {
            backup.rows(Table.SESSIONS, rows::add);
        }
        return rows;
    }

    @Test
    void a_line_of_more_values_than_any_row_is_refused_before_it_is_parsed() throws IOException {
        write(Map.of("id", Collections.nCopies(MANY, Map.of())));
        assertThatThrownBy(this::rows)
                .hasMessage("reading sessions.jsonl: a line has more than 1000000 tokens of JSON");
    }

    @Test
    void a_line_that_is_no_json_is_refused_with_the_name_of_its_entry() throws Exception {
        write(new RawValue("{"));
        assertThatThrownBy(this::rows).hasMessageStartingWith("reading sessions.jsonl: ");
    }

    /** A stored column is a text, however many values its JSON has. */
    @Test
    void a_row_with_large_texts_of_json_is_read() throws Exception {
        var text = "[" + "{},\"\\\",".repeat(MANY) + "1]";
        write(Map.of("id", text));
        assertThat(rows()).map(row -> Json.text(row, "id")).containsExactly(text);
    }

    @Test
    void work_in_a_directory_of_very_many_sessions_is_read() throws Exception {
        write(Map.of("sessions", Collections.nCopies(MANY - 100, "session-1")));
        assertThat(rows().getFirst().get("sessions")).hasSize(MANY - 100);
    }

    @Test
    void a_manifest_of_more_values_than_any_is_refused_before_it_is_parsed() throws IOException {
        try (var writer = new BackupWriter(file)) {
            var entry = new Manifest.Entry("", "", null, 0);
            writer.finish(manifest(Collections.nCopies(MANY, entry)));
        }
        assertThatThrownBy(() -> BackupFile.open(file))
                .isInstanceOf(BackupFile.Damaged.class)
                .hasMessageContaining("it has more than 5242880 tokens of JSON");
    }
}
