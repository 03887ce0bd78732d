package dev.coppice.store;

import dev.coppice.work.WorkItem;

import java.sql.SQLException;
import java.util.List;

/** What was found or kept, as a row. */
final class WorkItemRow {
    private static final Sql ADD = Tables.insert("work_item");

    private WorkItemRow() {}

    /** Unless it is kept already, for others who share it. */
    static void add(long errand, WorkItem item) {
        if (ErrandPlaces.isKeptForOthers(errand, item)) return;
        var counts = item.counts();
        var kept = item.kept();
        Tx.call(ADD)
                .set("errand", errand)
                .set("host", item.host())
                .set("directory", item.directory())
                .set("kind", SqlErrands.word(item.kind()))
                .set("sessions", String.join("\n", item.sessions()))
                .set("uncommitted", counts.uncommitted())
                .set("untracked", counts.untracked())
                .set("stashed", counts.stashed())
                .set("unpushed", counts.unpushed())
                .set("ignored", counts.ignored())
                .set("bytes", counts.bytes())
                .set("processes", counts.processes())
                .set("fingerprint", item.fingerprint())
                .set("tip", item.tip().commit())
                .set("branch", item.tip().branch())
                .set("kept_ref", kept == null ? null : kept.ref())
                .set("kept_repository", kept == null ? null : kept.repository())
                .set("kept_file", kept == null ? null : kept.file())
                .set("kept_sha256", kept == null ? null : kept.sha256())
                .setNumber("kept_size", kept == null ? null : kept.size())
                .set("busy", String.join("\n", item.busy()))
                .set("notes", String.join("\n", item.notes()))
                .update();
    }

    static WorkItem of(Row row) throws SQLException {
        var size = row.numberOrNull("kept_size");
        return new WorkItem(
                row.text("host"),
                row.text("directory"),
                SqlErrands.value(WorkItem.Kind.class, row, "kind"),
                List.copyOf(Lines.split(row.text("sessions"))),
                new WorkItem.Counts(
                        row.number("uncommitted"),
                        row.number("untracked"),
                        row.number("stashed"),
                        row.number("unpushed"),
                        row.number("ignored"),
                        row.number("bytes"),
                        row.number("processes")),
                row.text("fingerprint"),
                new WorkItem.Tip(row.textOrNull("tip"), row.textOrNull("branch")),
                size == null
                        ? null
                        : new WorkItem.Kept(
                                row.textOrNull("kept_ref"),
                                row.textOrNull("kept_repository"),
                                row.textOrNull("kept_file"),
                                row.textOrNull("kept_sha256"),
                                size),
                List.copyOf(Lines.split(row.text("busy"))),
                List.copyOf(Lines.split(row.text("notes"))));
    }
}
