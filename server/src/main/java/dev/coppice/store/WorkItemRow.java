package dev.coppice.store;

import dev.coppice.work.WorkItem;

import java.sql.SQLException;
import java.util.List;

/** What was found or kept, from its row. */
final class WorkItemRow {
    private WorkItemRow() {}

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
