package dev.coppice.view;

import dev.coppice.outside.OutsideProcess;
import dev.coppice.removal.Choices;
import dev.coppice.removal.Member;
import dev.coppice.removal.Removal;
import dev.coppice.removal.RemovalPlan;
import dev.coppice.removal.RemovalState;
import dev.coppice.session.Session;
import dev.coppice.session.StateWord;
import dev.coppice.wire.Shape;
import dev.coppice.wire.removal.BackupView;
import dev.coppice.wire.removal.MemberView;
import dev.coppice.wire.removal.PlanView;
import dev.coppice.wire.removal.RemovalCalls;
import dev.coppice.wire.removal.RemovalView;
import dev.coppice.word.Choice;
import dev.coppice.work.DirectoryTasks;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Removals and their plans as callers see them. */
public final class RemovalViews {
    /** The steps in order, each with the states in which it is under way. */
    private static final List<Step> STEPS =
            List.of(
                    new Step("fence", List.of("fencing")),
                    new Step("quiesce", List.of("quiescing")),
                    new Step("preserve", List.of("preserving")),
                    new Step("back_up", List.of("backing_up")),
                    new Step("hide", List.of("detaching", "hiding")),
                    new Step("undo_window", List.of("hidden")),
                    new Step("purge", List.of("purging")));

    private static final List<String> BACK =
            List.of("restoring", "undoing", "undone", "taking_back", "taken_back");

    private static final Set<String> HIDDEN =
            Set.of("hiding", "hidden", "restoring", "purging", "purged");

    private RemovalViews() {}

    private record Step(String name, List<String> states) {}

    public static RemovalView shown(
            Removal r,
            RemovalView.@Nullable TellingView telling,
            List<RemovalView.NotPreservedView> notPreserved) {
        var backup = r.backup();
        return new RemovalView(
                r.id().value(),
                r.top().id().value(),
                r.top().name(),
                r.state().word(),
                r.state().isOver(),
                telling == null ? r.percent(0, 1) : r.percent(telling.told(), telling.all()),
                r.state().waitsFor(),
                r.state().cancelReason(),
                r.order().reason(),
                r.order().by(),
                r.digest(),
                telling,
                shown(r.choices()),
                shown(r.taken()),
                steps(r),
                backup == null ? null : shown(backup),
                r.times().began().toString(),
                Views.text(r.times().hidden()),
                Views.text(r.times().undoUntil()),
                Views.text(r.times().ended()),
                notPreserved);
    }

    /** True if the sessions of the removal are hidden. */
    public static boolean hidesSessions(RemovalView removal) {
        return HIDDEN.contains(removal.state());
    }

    /** True for a hidden removal that preserved all unsaved work, of which there may be none. */
    public static boolean preservesAllWork(RemovalView removal) {
        return hidesSessions(removal)
                && removal.choices().work().equals(Shape.word(Choice.Work.PRESERVE))
                && removal.notPreserved().isEmpty();
    }

    /** The reason why the removal waits or was cancelled. */
    public static @Nullable String reason(RemovalView removal) {
        var waits = removal.waitsFor();
        return waits == null ? removal.calledOff() : waits;
    }

    /** The path of the list of preserved work, if there is any. */
    public static @Nullable String workPath(RemovalView.Whole whole) {
        var id = whole.removal().removalId();
        return whole.preserved().stream().anyMatch(work -> work.preserved() != null)
                ? RemovalCalls.WORK.path().replace("{removal_id}", id)
                : null;
    }

    private static List<RemovalView.StepView> steps(Removal r) {
        var word = r.state().word();
        int at = -1;
        for (int i = 0; i < STEPS.size(); i++) if (STEPS.get(i).states().contains(word)) at = i;
        boolean back = BACK.contains(word);
        boolean purged = word.equals("purged");
        var steps = new ArrayList<RemovalView.StepView>();
        for (int i = 0; i < STEPS.size(); i++) {
            var past = purged || i < at ? "done" : i == at ? "under_way" : "to_come";
            steps.add(new RemovalView.StepView(STEPS.get(i).name(), back ? "taken_back" : past));
        }
        return steps;
    }

    public static RemovalView.NotPreservedView notPreserved(DirectoryTasks.NotPreserved not) {
        return new RemovalView.NotPreservedView(not.host(), not.why(), not.directories());
    }

    public static BackupView shown(Removal.Backup backup) {
        return new BackupView(backup.file(), backup.sha256(), backup.size());
    }

    private static RemovalView.TakenView shown(Removal.Taken taken) {
        return new RemovalView.TakenView(
                taken.sessions(), taken.runs(), taken.events(), taken.eventBytes());
    }

    private static PlanView.ChoicesView shown(Choices c) {
        return new PlanView.ChoicesView(
                Shape.word(c.children()),
                Shape.word(c.running()),
                Shape.word(c.critical()),
                Shape.word(c.purge()),
                Shape.word(c.unreachable()),
                c.deadline().toSeconds() + "s",
                Shape.word(c.preservation().work()),
                Shape.word(c.preservation().backup()),
                Shape.word(c.preservation().ignored()),
                Shape.word(c.preservation().directories()));
    }

    /** The member as the removal found it, and its outcome. */
    public static MemberView shown(Member m, Removal r) {
        return new MemberView(
                outcome(r.state()),
                StateWord.ALIVE.contains(m.state()) && !m.givenUp(),
                m.givenUp(),
                m.id().value(),
                m.name(),
                m.parent() == null ? null : m.parent().value(),
                m.state(),
                m.runs());
    }

    private static String outcome(RemovalState state) {
        return switch (state) {
            case RemovalState.Purged _, RemovalState.Purging _ -> "deleted";
            case RemovalState.Hiding _, RemovalState.Hidden _ -> "hidden";
            case RemovalState.Undone _, RemovalState.Undoing _ -> "restored";
            case RemovalState.Restoring _ -> "being_restored";
            case RemovalState.TakenBack _, RemovalState.TakingBack _ -> "stays";
            case RemovalState.Fencing _,
                    RemovalState.Quiescing _,
                    RemovalState.Preserving _,
                    RemovalState.BackingUp _,
                    RemovalState.Detaching _ ->
                    "to_be_removed";
        };
    }

    /** {@code refusals} include those that concern only this caller. */
    public static PlanView shown(RemovalPlan plan, List<PlanView.RefusalView> refusals) {
        var survey = plan.survey();
        return new PlanView(
                plan.top().id().value(),
                plan.top().name(),
                plan.digest(),
                refusals.isEmpty(),
                plan.discards(),
                survey.sessions(),
                survey.runs(),
                survey.liveRuns(),
                survey.leases(),
                plan.work().processes(),
                survey.openCallbacks(),
                plan.owed(),
                survey.events(),
                survey.eventBytes(),
                survey.outputBytes(),
                plan.freedBytes(),
                survey.sessionsByState(),
                shown(plan.choices()),
                plan.running().stream().map(RemovalViews::running).toList(),
                plan.outside().stream().map(RemovalViews::outside).toList(),
                plan.critical().stream()
                        .map(c -> new PlanView.CriticalView(c.session(), c.what()))
                        .toList(),
                plan.work().items().stream()
                        .filter(i -> i.kind().isWork())
                        .map(WorkViews::shown)
                        .toList(),
                plan.work().unseenHosts(),
                plan.work().failures(),
                plan.earlier().stream().map(RemovalViews::earlier).toList(),
                refusals);
    }

    private static PlanView.RunningView running(Session s) {
        return new PlanView.RunningView(s.id().value(), s.name(), StateWord.of(s.state()));
    }

    private static PlanView.OutsideView outside(OutsideProcess process) {
        return new PlanView.OutsideView(
                process.session().value(),
                process.host(),
                process.pid(),
                process.program(),
                process.mayStop());
    }

    private static PlanView.EarlierView earlier(Removal r) {
        return new PlanView.EarlierView(
                r.id().value(),
                r.top().name(),
                r.taken().sessions(),
                Views.text(r.times().undoUntil()),
                r.backup() != null);
    }
}
