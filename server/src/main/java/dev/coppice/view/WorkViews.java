package dev.coppice.view;

import dev.coppice.kernel.RunId;
import dev.coppice.wire.fleet.ErrandAnswer;
import dev.coppice.wire.fleet.ErrandOrder;
import dev.coppice.wire.removal.WorkView;
import dev.coppice.work.Errand;
import dev.coppice.work.WorkItem;
import dev.coppice.work.Workplace;

import org.jspecify.annotations.Nullable;

import java.util.List;

/** Errands and what was found by them, as they are told and shown. */
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
                shown(item.kept()));
    }

    private static WorkView.@Nullable KeptView shown(WorkItem.@Nullable Kept kept) {
        return kept == null
                ? null
                : new WorkView.KeptView(
                        kept.ref(), kept.repository(), kept.file(), kept.sha256(), kept.size());
    }

    public static ErrandOrder order(Errand errand) {
        return new ErrandOrder(
                errand.id().value(),
                Views.word(errand.kind()),
                errand.removal(),
                Views.word(errand.terms().ignored()),
                Views.word(errand.terms().directories()),
                errand.terms().at().toEpochMilli(),
                errand.places().stream().map(WorkViews::place).toList(),
                errand.runs().stream().map(RunId::value).toList());
    }

    private static ErrandOrder.Place place(Errand.Place place) {
        return new ErrandOrder.Place(
                place.directory(),
                place.made() == Workplace.Made.BY_COPPICE,
                place.session().value(),
                place.sessionName(),
                place.outputs(),
                place.again());
    }

    /** As a runner has told it; it says where it was found, and cannot speak for another host. */
    public static WorkItem item(ErrandAnswer.Item said, String host) {
        var kept = said.kept();
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
                kept == null
                        ? null
                        : new WorkItem.Kept(
                                kept.ref(),
                                kept.repository(),
                                kept.file(),
                                kept.sha256(),
                                kept.size()),
                or(said.busy()),
                or(said.notes()));
    }

    /** As it was shown elsewhere; its file is this one here. */
    public static WorkItem read(WorkView shown, String file) {
        var kept = shown.kept();
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
                new WorkItem.Kept(
                        kept == null ? null : kept.ref(),
                        kept == null ? null : kept.repository(),
                        file,
                        kept == null ? null : kept.sha256(),
                        kept == null ? 0 : kept.size()),
                or(shown.busy()),
                or(shown.notes()));
    }

    private static List<String> or(@Nullable List<String> said) {
        return said == null ? List.of() : said;
    }
}
