package dev.coppice.removal;

import dev.coppice.audit.Act;
import dev.coppice.audit.Audit;
import dev.coppice.audit.HourlyLimit;
import dev.coppice.kernel.Bounds;
import dev.coppice.kernel.Canonical;
import dev.coppice.kernel.Counted;
import dev.coppice.kernel.Refusal;
import dev.coppice.kernel.SessionId;
import dev.coppice.session.Session;
import dev.coppice.session.StateWord;
import dev.coppice.word.Choice;

import org.jspecify.annotations.Nullable;

import java.time.InstantSource;

/** Writes the audit of removals: each decision, and each step that follows from it. */
public final class RemovalAudit {
    private final HourlyLimit refusals = HourlyLimit.ofAllButAdmin(Bounds.AUDITED_REFUSALS_MAX);
    private final Audit audit;
    private final InstantSource clock;

    public RemovalAudit(Audit audit, InstantSource clock) {
        this.audit = audit;
        this.clock = clock;
    }

    void refused(Choices choices, Act.Who by, Session top, Refusal refusal) {
        var what =
                new Act.What(
                        "removal.ask", top.id().value(), top.name(), null, choices.described());
        var state = digest(top);
        write(by, what, Act.Decision.refused(refusal.said()), state, state);
    }

    /** A request joined a removal under way, which keeps the choices that it began with. */
    void joined(
            SessionId id, Removal removal, Choices choices, Act.Who by, @Nullable String reason) {
        var detail = choices.described();
        var what = new Act.What("removal.join", id.value(), null, removal.id().value(), detail);
        var state = digest(removal);
        write(by, what, Act.Decision.allowed(reason), state, state);
    }

    /** An undo was requested again while it is under way or done. */
    void undoRepeated(Removal removal, Act.Who by) {
        var state = digest(removal);
        var reason = "it is " + removal.state().word();
        write(by, what("removal.undo", removal), Act.Decision.allowed(reason), state, state);
    }

    void auditRefusal(SessionId id, Choices choices, Act.Who by, Refusal refusal) {
        var detail = choices.described();
        var what = new Act.What("removal.ask", id.value(), null, null, detail);
        write(by, what, Act.Decision.refused(refusal.said()), null, null);
    }

    /** The request was malformed. */
    void unreadable(SessionId id, Act.Who by, Refusal refusal) {
        var what = new Act.What("removal.ask", id.value(), null, null, null);
        write(by, what, Act.Decision.refused(refusal.said()), null, null);
    }

    /** The removal may be unknown, so only its id is recorded. */
    void auditRefusal(String act, @Nullable String removal, Act.Who by, Refusal refusal) {
        var what = new Act.What(act, null, null, removal, null);
        write(by, what, Act.Decision.refused(refusal.said()), null, null);
    }

    void restoring(Removal removal, Act.Who by) {
        allowed("restore.ask", removal, by, null);
    }

    void notRestored(Removal.Top top, String file, Act.Who by, Refusal refusal) {
        var what = new Act.What("restore.ask", top.id().value(), top.name(), null, file);
        write(by, what, Act.Decision.refused(refusal.said()), null, null);
    }

    void unread(String file, Act.Who by, Refusal refusal) {
        var what = new Act.What("restore.ask", null, null, null, file);
        write(by, what, Act.Decision.refused(refusal.said()), null, null);
    }

    /** Overriding critical operations is a decision with a record of its own. */
    void begun(Session top, Removal removal, Act.Who by) {
        var before = digest(top);
        var choices = removal.choices();
        if (choices.critical() == Choice.Critical.OVERRIDE) {
            allowed("removal.override", removal, by, before);
        }
        allowed("removal.ask", removal, by, before);
    }

    public void moved(Removal before, Removal after, Act.@Nullable Who by) {
        var who = by == null ? Act.Who.rule(after.order().by()) : by;
        allowed("removal." + after.state().word(), after, who, digest(before));
    }

    void abandoned(Removal removal, Act.Who by, String reason) {
        var state = digest(removal);
        write(by, what("removal.abandon", removal), Act.Decision.allowed(reason), state, state);
    }

    /** Records on the child that it was detached from its parent, or attached again. */
    public void moved(Removal removal, Session child, Detached how) {
        var state = digest(removal);
        var what =
                new Act.What(
                        how == Detached.AWAY ? "removal.detached" : "removal.attached",
                        child.id().value(),
                        child.name(),
                        removal.id().value(),
                        "%s %s"
                                .formatted(
                                        how == Detached.AWAY ? "from" : "to", removal.top().id()));
        var who = Act.Who.rule(removal.order().by());
        write(who, what, Act.Decision.allowed(removal.order().reason()), state, state);
    }

    /** The direction in which a child moves. */
    public enum Detached {
        AWAY,
        BACK
    }

    /** Records what the choice {@code unreachable=abandon} left undone. */
    public void leftUndone(Removal removal, String what) {
        var state = digest(removal);
        var who = Act.Who.rule(removal.order().by());
        var decision = Act.Decision.allowed(what);
        write(who, what("removal.without", removal), decision, state, state);
    }

    void refused(String act, Removal removal, Act.Who by, Refusal refusal) {
        var state = digest(removal);
        write(by, what(act, removal), Act.Decision.refused(refusal.said()), state, state);
    }

    private void allowed(String act, Removal removal, Act.Who by, @Nullable String before) {
        var why = removal.state().why();
        var reason = why == null ? removal.order().reason() : why;
        var after = digest(removal);
        write(by, what(act, removal), Act.Decision.allowed(reason), before, after);
    }

    private static Act.What what(String act, Removal removal) {
        var top = removal.top();
        return new Act.What(
                act,
                top.id().value(),
                top.name(),
                removal.id().value(),
                "%s, plan %s, %s"
                        .formatted(
                                Counted.sessions(removal.taken().sessions()),
                                removal.digest(),
                                removal.choices().described()));
    }

    private static String digest(Session session) {
        return new Canonical()
                .with("id", session.id().value())
                .with("name", session.name())
                .with("path", session.place().path())
                .with("root", session.place().root().value())
                .with("state", StateWord.of(session.state()))
                .with("since", session.state().since())
                .with("removal", session.standing().removal())
                .shortHash();
    }

    private static String digest(Removal removal) {
        var backup = removal.backup();
        return new Canonical()
                .with("id", removal.id().value())
                .with("top", removal.top().id().value())
                .with("plan", removal.digest())
                .with(removal.choices().chosen())
                .with("state", removal.state().word())
                .with("since", removal.state().since())
                .with("why", removal.state().why())
                .with("backup", backup == null ? null : backup.sha256())
                .shortHash();
    }

    private void write(
            Act.Who by,
            Act.What what,
            Act.Decision decision,
            @Nullable String before,
            @Nullable String after) {
        var now = clock.instant();
        if (!decision.allowed() && !refusals.tryCount(by, now)) return;
        audit.append(new Act(now, by, what, decision, before, after));
    }
}
