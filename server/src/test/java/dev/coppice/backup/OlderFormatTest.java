package dev.coppice.backup;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.wire.Json;
import dev.coppice.wire.removal.WorkView;

import org.junit.jupiter.api.Test;

import java.util.List;

/** Backups written before a field got another name are still read. */
class OlderFormatTest {
    @Test
    void preserved_work_was_called_kept() {
        var preserved = new WorkView.PreservedView("refs/x", "/repo", "a.bundle", "00", 3);
        var work =
                new WorkView(
                        "/d",
                        "host",
                        "git",
                        null,
                        null,
                        1,
                        0,
                        0,
                        0,
                        0,
                        1,
                        true,
                        List.of("top"),
                        List.of(),
                        List.of(),
                        preserved);
        var older = Json.write(work).replace("\"preserved\":", "\"kept\":");
        assertThat(older).contains("\"kept\":");
        assertThat(Json.as(Json.read(older), WorkView.class)).isEqualTo(work);
        assertThat(BackupFile.PRESERVED).isEqualTo("kept/");
    }
}
