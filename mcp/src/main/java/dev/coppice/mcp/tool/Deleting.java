package dev.coppice.mcp.tool;

import dev.coppice.kernel.Counted;
import dev.coppice.wire.removal.DeletedSession;
import dev.coppice.wire.removal.DeletionAnswer;
import dev.coppice.wire.removal.DeletionView;
import dev.coppice.wire.removal.PlanView;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Converts the answer of the original's DELETE to the result of the seed's tool. */
final class Deleting implements Tool.Result<DeletionAnswer> {
    private static final String NOT_STOPPED =
            "could not be stopped in time; its processes are ended when its runner is back";
    private static final List<String> STAYS =
            List.of("taking_back", "taken_back", "undoing", "undone");

    @Override
    public Tool.Answer of(DeletionAnswer answer) {
        if (answer instanceof PlanView plan) return planned(plan);
        var d = (DeletionView) answer;
        return new Tool.Answer(d.ok(), said(d, agents(d)), deleted(d, d.sessionId(), null));
    }

    private static long agents(DeletionView d) {
        return d.ok() ? d.cascadedChildrenCount() : 0;
    }

    private static DeletedSession deleted(
            DeletionView d, String session, @Nullable Boolean already) {
        long agents = agents(d);
        var partial = partial(d);
        boolean backup = d.recoveryInfo().backupAvailable();
        return new DeletedSession(
                d.ok(),
                already,
                session,
                d.removalId(),
                d.state(),
                d.reason(),
                d.undoUntil(),
                new DeletedSession.Summary(
                        agents,
                        d.givenUpSessionIds().size(),
                        d.workPreserved(),
                        backup,
                        d.ok(),
                        !partial.isEmpty()),
                agents,
                d.workPreserved(),
                d.backupPath(),
                new DeletedSession.Recovery(backup, d.recoveryInfo().preservationPath(), partial));
    }

    /** A dry run answers with the plan. */
    @Override
    public List<Class<?>> others() {
        return List.of(PlanView.class);
    }

    private static String said(DeletionView d, long agents) {
        if (!d.ok()) {
            var because = d.reason() == null ? "" : ": " + d.reason();
            return STAYS.contains(d.state())
                    ? "%s is not deleted%s. Removal %s was called off."
                            .formatted(d.sessionId(), because, d.removalId())
                    : "%s is being deleted%s. It is %s as %s; call again to keep waiting."
                            .formatted(d.sessionId(), because, d.state(), d.removalId());
        }
        var until = d.undoUntil();
        return "Session deletion complete: %s and %d below it.".formatted(d.sessionId(), agents)
                + " undo_deletion with removal_id %s puts all of it back".formatted(d.removalId())
                + (until == null ? "." : " until " + until + ".");
    }

    /** The seed's steps, without those that the arguments turn off. */
    @Override
    public List<Tool.Step> steps(Function<String, @Nullable String> arguments) {
        var steps = new ArrayList<Tool.Step>();
        steps.add(new Tool.Step(15, "Analyzing session contents"));
        if (!"false".equals(arguments.apply("preserve_work"))) {
            steps.add(new Tool.Step(25, "Preserving uncommitted work"));
        }
        if (!"false".equals(arguments.apply("create_backup"))) {
            steps.add(new Tool.Step(35, "Creating session backup"));
        }
        if (!"false".equals(arguments.apply("cleanup_agents"))) {
            steps.add(new Tool.Step(50, "Deleting session agents"));
            steps.add(new Tool.Step(80, "All session agents are deleted"));
        }
        steps.add(new Tool.Step(85, "Cleaning up session resources"));
        return steps;
    }

    /** One step for each agent, deepest first; the session itself is not an agent. */
    @Override
    public List<Tool.Step> passed(DeletionAnswer answer) {
        var names = ((DeletionView) answer).removedSessionNames();
        var agents = names.stream().skip(1).toList().reversed();
        int all = agents.size();
        var steps = new ArrayList<Tool.Step>();
        for (int i = 1; i <= all; i++) {
            // Rounded up, so that the first of many agents is above 50.
            int percent = 50 + (30 * i + all - 1) / all;
            steps.add(new Tool.Step(percent, deleting(agents.get(i - 1), i, all)));
        }
        return steps;
    }

    /** Sessions and directories that the removal went on without, at an operator's request. */
    private static List<DeletedSession.Partial> partial(DeletionView d) {
        var partial = new ArrayList<DeletedSession.Partial>();
        for (var id : d.givenUpSessionIds()) {
            partial.add(new DeletedSession.Partial(id, NOT_STOPPED, null, null, d.hiddenAt()));
        }
        for (var not : d.recoveryInfo().partialDeletions()) {
            partial.add(
                    new DeletedSession.Partial(
                            null, not.why(), not.host(), not.directories(), d.hiddenAt()));
        }
        return partial;
    }

    /** The answer for a session, given by its id or name, that an earlier deletion has taken. */
    static Tool.Answer already(String said, String session, DeletionView deletion) {
        int named = deletion.removedSessionNames().indexOf(session);
        boolean isId = named < 0 || deletion.removedSessionIds().contains(session);
        var id = isId ? session : deletion.removedSessionIds().get(named);
        return new Tool.Answer(
                true,
                "%s. undo_deletion with removal_id %s may still put it back."
                        .formatted(said, deletion.removalId()),
                deleted(deletion, id, true));
    }

    static Tool.Answer planned(PlanView plan) {
        var refusals =
                plan.refusals().stream()
                        .map(r -> r.said() + ". " + r.advice())
                        .collect(Collectors.joining(" "));
        var said = plan.allowed() ? "Nothing forbids it." : "It would be refused: " + refusals;
        return new Tool.Answer(
                true,
                "Deleting %s would take %s. %s"
                        .formatted(plan.sessionName(), Counted.sessions(plan.sessions()), said),
                plan);
    }

    static String deleting(String agent, int which, int all) {
        return "Deleting agent %s (%d/%d)".formatted(agent, which, all);
    }
}
