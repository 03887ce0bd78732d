package dev.coppice.http;

import static dev.coppice.http.Caller.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.sql.SQLException;
import java.time.Duration;

/** Missing files, and files that nothing refers to, are found and named. */
class FsckTest {
    private final Caller server = new Caller();
    private String removal = "";
    private String backup = "";

    @BeforeEach
    void removed() {
        server.post("/sessions", "{\"session_id\":\"top\",\"session_name\":\"top\"}");
        server.post("/sessions/top/stop", "{}");
        var shown = server.post("/sessions/top/removal?wait=20s", "{}");
        removal = String.valueOf(text(shown, "removal_id"));
        backup = String.valueOf(text(shown.get("backup"), "file"));
        server.assertNothingIsLeft();
    }

    @AfterEach
    void close() {
        server.close();
    }

    private Path backups() {
        return server.directory().resolve("backups");
    }

    private void sql(String sql) throws SQLException {
        try (var connection = server.database();
                var statement = connection.createStatement()) {
            statement.execute("pragma busy_timeout = 10000");
            statement.execute("pragma foreign_keys = on");
            statement.execute(sql);
        }
    }

    private void finds(String what, String name) {
        var checked = server.get("/fsck?wait=0s");
        assertThat(checked.get("ok").asBoolean()).isFalse();
        assertThat(checked.get("leftovers").toString()).contains(what, name);
    }

    @Test
    void a_missing_backup_is_found() throws IOException {
        var aside = server.directory().resolve("aside");
        Files.move(backups().resolve(backup), aside);
        finds("backups whose file is missing", backup);
        Files.move(aside, backups().resolve(backup));
    }

    @Test
    void a_backup_file_that_no_removal_uses_is_found() throws IOException {
        var other = removal + "-00000000.coppice";
        Files.writeString(backups().resolve(other), "x");
        finds("backup files no removal uses", other);
        Files.delete(backups().resolve(other));
    }

    @Test
    void missing_and_unknown_files_of_preserved_work_are_found() throws IOException, SQLException {
        sql(
                "insert into task (key, removal, kind, host, ignored, directories, at, asked_at,"
                        + " ended_at) select 77, key, 'preserve', 'h', 'list', 'made', 1, 1, 1 from"
                        + " removal");
        sql(
                "insert into work_item (task, host, directory, kind, sessions, uncommitted,"
                    + " untracked, stashed, unpushed, ignored, bytes, processes, fingerprint,"
                    + " preserved_file, busy, notes) values (77, 'h', '/d', 'git', 'top', 1, 0, 0,"
                    + " 0, 0, 1, 0, 'f', 'task_77/a.bundle', '', '')");
        finds("preserved work whose file is missing", "task_77/a.bundle");
        var preserved = Files.createDirectories(backups().resolve("preserved/task_77"));
        Files.writeString(preserved.resolve("a.bundle"), "x");
        server.assertNothingIsLeft();
        var other = Files.writeString(preserved.resolve("b.bundle"), "x");
        var now = Files.getLastModifiedTime(other).toInstant();
        Files.setLastModifiedTime(other, FileTime.from(now.minus(Duration.ofDays(3))));
        finds("files of preserved work that nothing refers to", "task_77/b.bundle");
        Files.delete(other);
    }
}
