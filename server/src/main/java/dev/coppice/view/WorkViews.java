package dev.coppice.view;

import dev.coppice.kernel.RunId;
import dev.coppice.wire.fleet.DirectoryTaskOrder;
import dev.coppice.wire.fleet.DirectoryTaskResult;
import dev.coppice.wire.removal.WorkView;
import dev.coppice.work.DirectoryTask;
import dev.coppice.work.WorkItem;
import dev.coppice.work.Workplace;

import org.jspecify.annotations.Nullable;

import java.util.List;

/** Directory tasks and their findings, as the wire shows them. */
public final class WorkViews {
    private WorkViews() {}

    public static WorkView shown(WorkItem item) {
        var counts = item.counts();
        return new WorkView(
                item.directory(),
                item.host(),
                Views.word(item.kind()),
                item.tip().commit(),
                item.tip().branch(),
                counts.uncommitted(),
                counts.untracked(),
                counts.stashed(),
                counts.unpushed(),
                counts.ignored(),
                counts.bytes(),
                !counts.isNothing(),
                item.sessions(),
                item.busy(),
                item.notes(),
                shown(item.preserved()));
    }

    private static WorkView.@Nullable PreservedView shown(WorkItem.@Nullable Preserved preserved) {
        return preserved == null
                ? null
                : new WorkView.PreservedView(
                        preserved.ref(),
                        preserved.repository(),
                        preserved.file(),
                        preserved.sha256(),
                        preserved.size());
    }

    public static DirectoryTaskOrder order(DirectoryTask task) {
        return new DirectoryTaskOrder(
                task.id().value(),
                Views.word(task.kind()),
                task.removal(),
                Views.word(task.terms().ignored()),
                Views.word(task.terms().directories()),
                task.terms().at().toEpochMilli(),
                task.places().stream().map(WorkViews::place).toList(),
                task.runs().stream().map(RunId::value).toList());
    }

    private static DirectoryTaskOrder.Place place(DirectoryTask.Place place) {
        return new DirectoryTaskOrder.Place(
                place.directory(),
                place.made() == Workplace.Made.BY_COPPICE,
                place.session().value(),
                place.sessionName(),
                place.outputs(),
                place.again());
    }

    /** An item that a runner reported. Its host is that of the task: a runner cannot choose it. */
    public static WorkItem item(DirectoryTaskResult.Item said, String host) {
        var preserved = said.preserved();
        return new WorkItem(
                host,
                said.directory(),
                WorkItem.Kind.valueOf(said.kind().toUpperCase(java.util.Locale.ROOT)),
                or(said.sessions()),
                new WorkItem.Counts(
                        said.uncommitted(),
                        said.untracked(),
                        said.stashed(),
                        said.unpushed(),
                        said.ignored(),
                        said.bytes(),
                        said.processes()),
                said.fingerprint(),
                new WorkItem.Tip(said.commit(), said.branch()),
                preserved == null
                        ? null
                        : new WorkItem.Preserved(
                                preserved.ref(),
                                preserved.repository(),
                                preserved.file(),
                                preserved.sha256(),
                                preserved.size()),
                or(said.busy()),
                or(said.notes()));
    }

    /** An item from the view of another coordinator, with its file here. */
    public static WorkItem read(WorkView shown, String file) {
        var preserved = shown.preserved();
        return new WorkItem(
                shown.host(),
                shown.directory(),
                WorkItem.Kind.valueOf(shown.kind().toUpperCase(java.util.Locale.ROOT)),
                or(shown.sessions()),
                new WorkItem.Counts(
                        shown.uncommitted(),
                        shown.untracked(),
                        shown.stashed(),
                        shown.unpushed(),
                        shown.ignored(),
                        shown.bytes(),
                        0),
                "",
                new WorkItem.Tip(shown.commit(), shown.branch()),
                new WorkItem.Preserved(
                        preserved == null ? null : preserved.ref(),
                        preserved == null ? null : preserved.repository(),
                        file,
                        preserved == null ? null : preserved.sha256(),
                        preserved == null ? 0 : preserved.size()),
                or(shown.busy()),
                or(shown.notes()));
    }

    private static List<String> or(@Nullable List<String> said) {
        return said == null ? List.of() : said;
    }
}
