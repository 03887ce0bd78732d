package dev.coppice.mcp.tool;

import dev.coppice.kernel.Counted;
import dev.coppice.view.RemovalViews;
import dev.coppice.wire.removal.MemberView;
import dev.coppice.wire.removal.PlanView;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Converts plans and removals to the result of the tool. */
final class Deleting implements Tool.Result<Deletion> {
    private static final String NOT_STOPPED =
            "could not be stopped in time; its processes are ended when its runner is back";
    private static final List<String> STAYS =
            List.of("taking_back", "taken_back", "undoing", "undone");

    @Override
    public Tool.Answer of(Deletion answer) {
        return switch (answer) {
            case Deletion.Planned(var plan) -> planned(plan);
            case Deletion.Begun begun -> {
                var id = begun.removal().sessionId();
                yield new Tool.Answer(isDone(begun), said(begun), deleted(begun, id, null));
            }
        };
    }

    private static boolean isDone(Deletion.Begun d) {
        return RemovalViews.hidesSessions(d.removal());
    }

    /** The sessions that are deleted, the top first. */
    private static List<MemberView> sessions(Deletion.Begun d) {
        return isDone(d) ? d.whole().outcomes() : List.of();
    }

    private static long agents(Deletion.Begun d) {
        return Math.max(0, sessions(d).size() - 1);
    }

    private static DeletedSession deleted(
            Deletion.Begun d, String session, @Nullable Boolean already) {
        var removal = d.removal();
        long agents = agents(d);
        var partial = partial(d);
        var backup = removal.backup();
        boolean isDone = isDone(d);
        boolean isWorkPreserved = RemovalViews.preservesAllWork(removal);
        return new DeletedSession(
                isDone,
                already,
                session,
                removal.removalId(),
                removal.state(),
                RemovalViews.reason(removal),
                removal.undoUntil(),
                new DeletedSession.Summary(
                        agents,
                        sessions(d).stream().filter(MemberView::wasGivenUp).count(),
                        isWorkPreserved,
                        backup != null,
                        isDone,
                        !partial.isEmpty()),
                agents,
                isWorkPreserved,
                backup == null ? null : backup.file(),
                new DeletedSession.Recovery(
                        backup != null, RemovalViews.workPath(d.whole()), partial));
    }

    /** A dry run answers with the plan. */
    @Override
    public List<Class<?>> others() {
        return List.of(PlanView.class);
    }

    private static String said(Deletion.Begun d) {
        var removal = d.removal();
        var session = removal.sessionId();
        var id = removal.removalId();
        if (!isDone(d)) {
            var reason = RemovalViews.reason(removal);
            var because = reason == null ? "" : ": " + reason;
            return STAYS.contains(removal.state())
                    ? "%s is not deleted%s. Removal %s was called off."
                            .formatted(session, because, id)
                    : "%s is being deleted%s. It is %s as %s; call again to keep waiting."
                            .formatted(session, because, removal.state(), id);
        }
        var until = removal.undoUntil();
        return "Session deletion complete: %s and %d below it.".formatted(session, agents(d))
                + " undo_deletion with removal_id %s puts all of it back".formatted(id)
                + (until == null ? "." : " until " + until + ".");
    }

    /** The steps, without those that the arguments turn off. */
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
    public List<Tool.Step> passed(Deletion answer) {
        var agents =
                sessions((Deletion.Begun) answer).stream()
                        .skip(1)
                        .map(MemberView::sessionName)
                        .toList()
                        .reversed();
        int all = agents.size();
        var steps = new ArrayList<Tool.Step>();
        for (int i = 1; i <= all; i++) {
            // Rounded up, so that the first of many agents is above 50.
            int percent = 50 + (30 * i + all - 1) / all;
            steps.add(new Tool.Step(percent, deleting(agents.get(i - 1), i, all)));
        }
        return steps;
    }

    /** Sessions and directories that the removal continued without, at an operator's request. */
    private static List<DeletedSession.Partial> partial(Deletion.Begun d) {
        var hidden = d.removal().hiddenAt();
        var partial = new ArrayList<DeletedSession.Partial>();
        for (var session : sessions(d)) {
            if (!session.wasGivenUp()) continue;
            var id = session.sessionId();
            partial.add(new DeletedSession.Partial(id, NOT_STOPPED, null, null, hidden));
        }
        for (var not : d.removal().notPreserved()) {
            partial.add(
                    new DeletedSession.Partial(
                            null, not.why(), not.host(), not.directories(), hidden));
        }
        return partial;
    }

    /** The answer for a session, given by its id or name, that an earlier deletion has taken. */
    static Tool.Answer already(String said, String session, Deletion.Begun d) {
        var taken = sessions(d);
        boolean isId = taken.stream().anyMatch(m -> m.sessionId().equals(session));
        var id =
                taken.stream()
                        .filter(m -> !isId && m.sessionName().equals(session))
                        .map(MemberView::sessionId)
                        .findFirst()
                        .orElse(session);
        return new Tool.Answer(
                true,
                "%s. undo_deletion with removal_id %s may still put it back."
                        .formatted(said, d.removal().removalId()),
                deleted(d, id, true));
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
