package dev.coppice.ask;

import dev.coppice.kernel.Refusal;
import dev.coppice.kernel.SessionId;
import dev.coppice.kernel.SessionRefusal;
import dev.coppice.run.Ports;
import dev.coppice.run.Ports.BudgetCheck.NewWork;
import dev.coppice.session.Fences;
import dev.coppice.session.Session;
import dev.coppice.session.StartSession;
import dev.coppice.word.Verdict;

import org.jspecify.annotations.Nullable;

import java.util.Optional;

/**
 * Decides whether a program that Coppice did not start may use a tool. Its sessions have no runs,
 * so without consent to end its process nothing else stops it. Every method joins the current
 * transaction.
 */
public final class ToolGate {
    private final Ports ports;
    private final StartSession start;
    private final Asks asks;

    public ToolGate(Ports ports, StartSession start, Asks asks) {
        this.ports = ports;
        this.start = start;
        this.asks = asks;
    }

    /** A decision in advance, and the standing answer that it comes from. */
    public record Decided(
            Verdict verdict, @Nullable Refusal refusal, @Nullable StandingAnswer standing) {}

    /** Returns the decision if there is one: a stop, a limit or a budget, or a standing answer. */
    public Optional<Decided> decide(SessionId at, ToolUse use) {
        return refusal(at, use)
                .map(refusal -> new Decided(Verdict.DENY, refusal, null))
                .or(() -> standing(at, use).map(s -> new Decided(s.verdict(), null, s)));
    }

    /** Resumes a stopped session, because a person gave its program a new prompt. */
    public void prompted(SessionId id) {
        var session = ports.sessions().find(id);
        if (session.isEmpty() || session.get().standing().quiet() == null) return;
        if (Fences.at(ports.sessions(), id).isEmpty()) {
            ports.sessions().save(session.get().quiet(null));
        }
    }

    private Optional<Refusal> refusal(SessionId at, ToolUse use) {
        var work = use.startsAgent() ? NewWork.SUBAGENT : NewWork.TOOL_USE;
        return Fences.at(ports.sessions(), at)
                .or(() -> stopped(at))
                .or(() -> use.startsAgent() ? start.forbidsChildOf(at) : Optional.empty())
                .or(() -> ports.budgetCheck().forbids(ports, at, work));
    }

    private Optional<Refusal> stopped(SessionId at) {
        return ports.sessions().ancestry(at).stream()
                .map(above -> above.session())
                .filter(ToolGate::isHeldBack)
                .findFirst()
                .map(session ->
                        new SessionRefusal.ToolsAreStopped(
                                session.id(),
                                session.standing().frozen() != null ? "frozen" : "stopped"));
    }

    private static boolean isHeldBack(Session session) {
        return session.standing().quiet() != null || session.standing().frozen() != null;
    }

    private Optional<StandingAnswer> standing(SessionId at, ToolUse use) {
        return StandingAnswer.deciding(asks.above(at, ports.clock().instant()), use);
    }
}
