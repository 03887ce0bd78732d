package dev.coppice.store.work;

import dev.coppice.store.engine.Lines;
import dev.coppice.store.engine.Row;
import dev.coppice.store.engine.Sql;
import dev.coppice.store.engine.Tx;
import dev.coppice.store.schema.Tables;
import dev.coppice.work.WorkItem;

import java.sql.SQLException;
import java.util.List;

/** Unsaved work that was found or preserved, as a row. */
final class WorkItemRow {
    private static final Sql ADD = Tables.insert("work_item");

    private WorkItemRow() {}

    /** Adds the item, unless the same directory was already preserved for another session. */
    static void add(long task, WorkItem item) {
        if (TaskPlaces.shareIfPreserved(task, item)) return;
        var counts = item.counts();
        var preserved = item.preserved();
        Tx.call(ADD)
                .set("task", task)
                .set("host", item.host())
                .set("directory", item.directory())
                .set("kind", item.kind())
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
                .set("preserved_ref", preserved == null ? null : preserved.ref())
                .set("preserved_repository", preserved == null ? null : preserved.repository())
                .set("preserved_file", preserved == null ? null : preserved.file())
                .set("preserved_sha256", preserved == null ? null : preserved.sha256())
                .setNumber("preserved_size", preserved == null ? null : preserved.size())
                .set("busy", String.join("\n", item.busy()))
                .set("notes", String.join("\n", item.notes()))
                .update();
    }

    static WorkItem of(Row row) throws SQLException {
        var size = row.numberOrNull("preserved_size");
        return new WorkItem(
                row.text("host"),
                row.text("directory"),
                row.constant(WorkItem.Kind.class, "kind"),
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
                        : new WorkItem.Preserved(
                                row.textOrNull("preserved_ref"),
                                row.textOrNull("preserved_repository"),
                                row.textOrNull("preserved_file"),
                                row.textOrNull("preserved_sha256"),
                                size),
                List.copyOf(Lines.split(row.text("busy"))),
                List.copyOf(Lines.split(row.text("notes"))));
    }
}
