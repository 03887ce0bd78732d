package dev.coppice.http;

import static dev.coppice.http.Caller.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.coppice.access.Role;
import dev.coppice.backup.BackupFile;
import dev.coppice.wire.Json;
import dev.coppice.wire.SseFrame;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;

/** A backup that cannot be restored is refused, with advice, before anything is written. */
class RestoreRefusalsTest {
    private final Caller server = Product.caller();
    private String file = "";

    /** Creates above, top below it and kid below top; purges top, with a backup. */
    @BeforeEach
    void aBackup() {
        for (var s : new String[][] {{"above", null}, {"top", "above"}, {"kid", "top"}}) session(s);
        for (var id : new String[] {"kid", "top"}) server.post("/sessions/" + id + "/stop", "{}");
        var purged = server.post("/sessions/top/removal?wait=20s", "{\"purge\":\"now\"}");
        file = String.valueOf(text(purged.get("backup"), "file"));
    }

    @AfterEach
    void close() {
        server.close();
    }

    private void session(String[] idAndParent) {
        var body = Json.object().put("session_id", idAndParent[0]);
        body.put("session_name", idAndParent[0]);
        if (idAndParent[1] != null) body.put("parent_session_id", idAndParent[1]);
        server.post("/sessions", body.toString());
    }

    private Path backups() {
        return server.directory().resolve("backups");
    }

    private ObjectNode asked() {
        return Json.object().put("file", file);
    }

    /** Asserts that the restore is refused with these words and changes only the audit. */
    private void refused(ObjectNode asked, String... words) {
        var before = all();
        var answer = server.client().post("/restores", asked);
        assertThat(answer.isGood()).as(answer.body().toString()).isFalse();
        assertThat(answer.body().toString()).contains(words);
        assertThat(all()).isEqualTo(before);
        var audit = server.get("/audit?limit=1").get("records").get(0);
        assertThat(text(audit, "act")).isEqualTo("restore.ask");
        assertThat(text(audit, "decision")).isEqualTo("refused");
    }

    /** Returns the number of rows in each table, and all files of preserved work. */
    private String all() {
        var preserved = backups().resolve("preserved");
        var counted = new StringBuilder();
        try (var files =
                        Files.isDirectory(preserved)
                                ? Files.walk(preserved)
                                : Stream.<Path>empty();
                var connection = server.database();
                var statement = connection.createStatement()) {
            for (var table : List.of("any_session", "run", "event", "removal", "task")) {
                try (var rows = statement.executeQuery("select count(*) from " + table)) {
                    rows.next();
                    counted.append(table).append(' ').append(rows.getLong(1)).append('\n');
                }
            }
            return counted + files.filter(Files::isRegularFile).toList().toString();
        } catch (IOException | SQLException e) {
            throw new AssertionError(e);
        }
    }

    private JsonNode restored(ObjectNode asked) {
        var begun = server.post("/restores", asked.toString());
        return server.get("/removals/" + text(begun, "removal_id") + "?wait=20s");
    }

    private String parent(String id) {
        return String.valueOf(
                text(server.get("/sessions/" + id).get("session"), "parent_session_id"));
    }

    @Test
    void a_file_with_a_changed_byte_is_refused() throws IOException {
        var path = backups().resolve(file);
        var bytes = Files.readAllBytes(path);
        int spoilt = bytes.length / 2;
        for (int at = 0; at < bytes.length; at += 7) {
            bytes[at] ^= 1;
            Files.write(path, bytes);
            assertThat(isWhole(path)).as("byte %d of %d", at, bytes.length).isFalse();
            bytes[at] ^= 1;
        }
        Files.write(path, bytes);
        Files.write(path, new byte[] {0}, java.nio.file.StandardOpenOption.APPEND);
        assertThat(isWhole(path)).as("with a byte after its end").isFalse();
        bytes[spoilt] ^= 1;
        Files.write(path, bytes);
        refused(asked(), "Nothing was restored: '" + file + "'");
        bytes[spoilt] ^= 1;
        Files.write(path, bytes);
        assertThat(text(restored(asked()), "state")).isEqualTo("undone");
        assertThat(parent("top")).isEqualTo("above");
    }

    private static Map<String, String> inside(Path path) throws IOException {
        var found = new TreeMap<String, String>();
        try (var zip = new ZipFile(path.toFile())) {
            for (var entry : Collections.list(zip.entries())) {
                var bytes = zip.getInputStream(entry).readAllBytes();
                found.put(entry.getName(), new String(bytes, StandardCharsets.ISO_8859_1));
            }
        }
        return found;
    }

    private static boolean isWhole(Path path) {
        try {
            BackupFile.verify(path);
            return true;
        } catch (BackupFile.Damaged _) {
            return false;
        }
    }

    @Test
    void a_file_with_a_missing_or_additional_entry_is_refused() throws IOException {
        var entries = entries();
        var less = new LinkedHashMap<>(entries);
        less.remove("events.jsonl");
        write(less);
        refused(asked(), "events.jsonl is missing");
        var more = new LinkedHashMap<>(entries);
        more.put("evil.jsonl", new byte[0]);
        write(more);
        refused(asked(), "evil.jsonl is not in its manifest");
    }

    /** A newer manifest may have another shape. */
    @Test
    void a_newer_format_is_refused() throws IOException {
        var manifest = (ObjectNode) Json.read(manifest(entries()));
        manifest.put("version", 2).put("entries", 7);
        write(manifest.toString());
        refused(asked(), "it was written by a newer version", "newer version of Coppice");
        assertThatThrownBy(() -> BackupFile.verify(backups().resolve(file)))
                .isInstanceOfSatisfying(
                        BackupFile.Damaged.class,
                        e -> assertThat(e.said()).startsWith("cannot be read here"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"null", "7", "{}", "{\"format\":\"coppice-backup\",\"version\":1}"})
    void a_manifest_that_lacks_everything_is_refused(String manifest) throws IOException {
        write(manifest);
        refused(asked(), "Nothing was restored");
    }

    private void write(String manifest) throws IOException {
        var entries = entries();
        entries.put("manifest.json", manifest.getBytes(StandardCharsets.UTF_8));
        write(entries);
    }

    @Test
    void a_missing_parent_is_refused_and_as_root_or_under_restores_the_tree() {
        server.post("/sessions/above/stop", "{}");
        server.post("/sessions/above/removal?wait=20s", "{}");
        refused(asked(), "above", "as_root");
        assertThat(text(restored(asked().put("as_root", true)), "state")).isEqualTo("undone");
        assertThat(parent("top")).isEqualTo("null");
        session(new String[] {"other", null});
        refused(asked().put("under", "other"), "ids already in use");
        var under =
                restored(asked().put("under", "other").put("new_ids", true).put("rename", true));
        assertThat(text(under, "state")).isEqualTo("undone");
        assertThat(parent(String.valueOf(text(under, "session_id")))).isEqualTo("other");
    }

    @Test
    void taken_ids_and_names_are_refused_with_advice() {
        session(new String[] {"kid", null});
        refused(asked(), "ids already in use: 'kid'", "new_ids=true");
        refused(asked().put("new_ids", true), "names already in use: 'kid'", "rename=true");
    }

    @Test
    void ids_that_are_too_long_with_a_new_suffix_are_refused() {
        var id = "x".repeat(96);
        var body = Json.object().put("session_id", id).put("session_name", "long");
        server.post("/sessions", body.toString());
        server.post("/sessions/" + id + "/stop", "{}");
        var purged = server.post("/sessions/" + id + "/removal?wait=20s", "{\"purge\":\"now\"}");
        file = String.valueOf(text(purged.get("backup"), "file"));
        refused(asked().put("new_ids", true), "ids in it are not valid here", "new_ids appends 7");
    }

    @Test
    void a_restore_by_a_viewer_is_refused_and_audited() {
        var viewer = server.as(dev.coppice.access.Caller.as(Role.VIEWER));
        assertThat(viewer.post("/restores", asked()).status()).isEqualTo(403);
        var audit = server.get("/audit?limit=1").get("records").get(0);
        assertThat(text(audit, "act")).isEqualTo("request");
        assertThat(text(audit, "detail")).contains("POST /restores", "viewer");
    }

    /** A follower has passed the numbers of these events, or never had them. */
    @Test
    void followers_get_the_range_of_the_restored_events() {
        var begun = server.post("/restores", asked().toString());
        server.get("/removals/" + text(begun, "removal_id") + "?wait=20s");
        var received = new ArrayList<SseFrame>();
        server.client()
                .follow(
                        "/sse/sessions?session_id=kid&after=0",
                        frame -> {
                            received.add(frame);
                            return !frame.event().equals("session_restored");
                        });
        var back = Json.read(received.removeLast().data());
        assertThat(received.getFirst().event()).isEqualTo("session_created");
        assertThat(text(back, "first_event")).isEqualTo(received.getFirst().id());
        assertThat(text(back, "last_event")).isEqualTo(received.getLast().id());
    }

    @Test
    void writing_and_fetching_a_backup_is_audited() {
        var made = server.post("/sessions/above/backup", "{}");
        var name = String.valueOf(text(made, "file"));
        audited("backup.write", "above", name + ", SHA-256 " + text(made, "sha256"));
        var removal = server.get("/removals").get("removals").get(0);
        var path = "/removals/" + text(removal, "removal_id") + "/backup";
        fetched(path);
        audited("backup.fetch", "top", file);
        fetched("/backups/" + name);
        audited("backup.fetch", "null", name);
        assertThat(server.client().get("/backups/none.coppice").status()).isEqualTo(404);
        audited("backup.fetch", "null", name);
    }

    private void fetched(String path) {
        assertThat(server.client().download(path, OutputStream.nullOutputStream())).isNull();
    }

    private void audited(String act, String session, String detail) {
        var audit = server.get("/audit?limit=1").get("records").get(0);
        assertThat(text(audit, "act")).isEqualTo(act);
        assertThat(String.valueOf(text(audit, "session_name"))).isEqualTo(session);
        assertThat(text(audit, "detail")).isEqualTo(detail);
    }

    private Map<String, byte[]> entries() throws IOException {
        var found = new LinkedHashMap<String, byte[]>();
        try (var zip = new ZipFile(backups().resolve(file).toFile());
                Stream<? extends ZipEntry> all = zip.stream()) {
            for (var entry : all.toList()) {
                found.put(entry.getName(), zip.getInputStream(entry).readAllBytes());
            }
        }
        return found;
    }

    private static byte[] manifest(Map<String, byte[]> entries) {
        return Objects.requireNonNull(entries.get("manifest.json"));
    }

    /** Writes the entries, with valid hashes of the manifest and of the file. */
    private void write(Map<String, byte[]> entries) throws IOException {
        var bytes = manifest(entries);
        try (var zip = new ZipOutputStream(Files.newOutputStream(backups().resolve(file)))) {
            for (var entry : entries.entrySet()) {
                zip.putNextEntry(new ZipEntry(entry.getKey()));
                zip.write(entry.getValue());
                zip.closeEntry();
            }
            zip.setComment(HexFormat.of().formatHex(sha256(bytes)) + "0".repeat(64));
        }
        var path = backups().resolve(file);
        var all = Files.readAllBytes(path);
        var covered = java.util.Arrays.copyOf(all, all.length - 64);
        var hash = HexFormat.of().formatHex(sha256(covered)).getBytes(StandardCharsets.US_ASCII);
        System.arraycopy(hash, 0, all, covered.length, hash.length);
        Files.write(path, all);
    }

    /** Replaces an entry, and its size and hash in the manifest. */
    private void replace(String name, byte[] content) throws IOException {
        var entries = entries();
        entries.put(name, content);
        var manifest = (ObjectNode) Json.read(manifest(entries));
        for (var entry : manifest.get("entries")) {
            if (!name.equals(text(entry, "name"))) continue;
            ((ObjectNode) entry)
                    .put("size", content.length)
                    .put("sha256", HexFormat.of().formatHex(sha256(content)));
        }
        entries.put("manifest.json", manifest.toString().getBytes(StandardCharsets.UTF_8));
        write(entries);
    }

    /** A small file may unpack to a line that does not fit in memory. */
    @Test
    void a_line_longer_than_any_row_is_refused() throws IOException {
        var line = new byte[129 * 1024 * 1024];
        java.util.Arrays.fill(line, (byte) 'x');
        replace("sessions.jsonl", line);
        refused(asked(), "reading sessions.jsonl");
    }

    @Test
    void a_name_with_control_characters_is_refused() throws IOException {
        var rows = new String(entries().get("sessions.jsonl"), StandardCharsets.UTF_8);
        var evil = rows.replace("\"name\":\"kid\"", "\"name\":\"k\\u001b[2Jid\"");
        assertThat(evil).isNotEqualTo(rows);
        replace("sessions.jsonl", evil.getBytes(StandardCharsets.UTF_8));
        refused(asked(), "names in it are not valid here");
    }

    private static byte[] sha256(byte[] bytes) {
        try {
            return java.security.MessageDigest.getInstance("SHA-256").digest(bytes);
        } catch (java.security.NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }

    /** Searches every byte of every entry. */
    @Test
    void a_backup_contains_no_secret() throws Exception {
        server.post(
                "/agents",
                """
                {"name":"secretive","kind":"command","command":["cat"],
                 "env":{"KEY":"hush-hush-1","SHOWN":"${params.prompt}","PASSED":"${scope.pass}"},
                 "servers":[
                   {"env":{"A":"hush-hush-2"},"headers":{"Authorization":"Bearer hush-hush-3"}},
                   {"env":[{"name":"NAMED","value":"hush-hush-5"},"B=hush-hush-6"]},
                   {"headers":"X-Key: hush-hush-7"}],
                 "mcp_servers":{
                   "one":{"type":"stdio","command":"npx","args":["--token","hush-hush-8"]},
                   "two":{"type":"http","url":"https://x:hush-hush-9@tools.example/?key=hush-hush"}},
                 "parameters_schema":{"type":"object","properties":{"env":{"type":"string"}}}}
                """);
        server.post(
                "/runs",
                "{\"session_id\":\"holder\",\"session_name\":\"holder\",\"prompt\":\"x\","
                        + "\"agent_name\":\"secretive\",\"scope\":{\"pass\":\"hush-hush-4\"}}");
        var made = server.post("/sessions/holder/backup", "{}");
        var file =
                server.directory().resolve("backups").resolve(String.valueOf(text(made, "file")));
        var all = String.join("\n", inside(file).values());
        assertThat(all)
                .contains(
                        "secretive",
                        "KEY",
                        "${params.prompt}",
                        "${scope.pass}",
                        "Authorization",
                        "NAMED");
        assertThat(all).doesNotContain("hush-hush").doesNotContain(server.token());
    }

    /** A truncated audit no longer contains the head in an older backup. */
    @Test
    void the_audit_still_contains_the_head_in_an_older_backup() throws Exception {
        server.post("/sessions", "{\"session_id\":\"headed\",\"session_name\":\"headed\"}");
        server.post("/sessions/headed/bind", "{}");
        server.client().delete("/sessions/headed");
        var made = server.post("/sessions/headed/backup", "{}");
        var file =
                server.directory().resolve("backups").resolve(String.valueOf(text(made, "file")));
        var head = BackupFile.verify(file).auditHead();
        server.client().delete("/sessions/headed");
        assertThat(server.get("/audit/verify?head=" + head).get("ok").asBoolean()).isTrue();
        var other = head.replaceAll("[0-9]", "a").replaceAll("[b-f]", "0");
        assertThat(server.get("/audit/verify?head=" + other).get("ok").asBoolean()).isFalse();
    }
}
