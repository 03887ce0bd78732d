package dev.coppice.alert;

import dev.coppice.alert.Alerts.Cause;
import dev.coppice.journal.Fact;
import dev.coppice.journal.Journal;
import dev.coppice.kernel.Ids;
import dev.coppice.kernel.SessionId;
import dev.coppice.kernel.Transactions;
import dev.coppice.session.Sessions;
import dev.coppice.word.AlertKind;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Raises an alert once for each cause, and addresses it to the channels that the rules name. */
public record RaiseAlerts(
        Transactions transactions,
        Sessions sessions,
        Journal journal,
        Alerts alerts,
        Routing routing,
        Ids ids,
        InstantSource clock) {
    private static final int ENTRIES_AT_ONCE = 2_000;
    private static final int SILENT_AT_ONCE = 200;
    private static final Duration SILENCE = Duration.ofMinutes(5);

    /** A person in front of the program answers within this time. */
    private static final Duration ASKS_AFTER = Duration.ofSeconds(10);

    /** Reads the journal. Returns 1 if there may be more to read. */
    public int sweep() {
        var news = transactions.read(() -> alerts.unread(ENTRIES_AT_ONCE));
        if (news.to() == news.from()) return 0;
        transactions.write(() -> {
            if (alerts.read(news)) news.causes().forEach(this::raise);
            return news;
        });
        return news.to() - news.from() >= ENTRIES_AT_ONCE ? 1 : 0;
    }

    /** Looks for sessions that wait for a person; returns how many alerts it raised. */
    public int sweepAsking() {
        var since = clock.instant().minus(ASKS_AFTER);
        return raiseAll(transactions.read(() -> alerts.asking(since)));
    }

    /** Looks for silent sessions; returns how many alerts it raised. */
    public int sweepSilent() {
        if (!routing.wants(AlertKind.SILENT)) return 0;
        var since = clock.instant().minus(SILENCE);
        return raiseAll(transactions.read(() -> alerts.silent(since, SILENT_AT_ONCE)));
    }

    private int raiseAll(List<Cause> causes) {
        if (causes.isEmpty()) return 0;
        return transactions.write(() -> {
            int raised = 0;
            for (var cause : causes) if (raise(cause)) raised++;
            return raised;
        });
    }

    private boolean raise(Cause cause) {
        var id = "alert_" + ids.twelveHex();
        var alert =
                new Alert(
                        id,
                        cause.session(),
                        cause.name(),
                        cause.kind(),
                        cause.key(),
                        cause.reason(),
                        raised(cause),
                        routing.deliveries(cause, top -> isWithin(sessions, cause.session(), top)));
        if (!alerts.add(alert, cause.since())) return false;
        var kind = cause.kind().name().toLowerCase(Locale.ROOT);
        var fact = new Fact.AlertRaised(id, kind, cause.reason());
        journal.appendAbout(cause.session(), fact, cause.at());
        return true;
    }

    /**
     * The alert of an end has the time of the end, which distinguishes it from the next end. Alerts
     * of silence and of questions are raised minutes after these began, and have the present time.
     */
    private Instant raised(Cause cause) {
        return cause.since() == null ? clock.instant() : cause.at();
    }

    /** {@code top} is a name or an id. Joins the current transaction. */
    public static boolean isWithin(Sessions sessions, SessionId session, String top) {
        var named =
                sessions.named(top)
                        .or(() ->
                                SessionId.isValid(top)
                                        ? sessions.find(new SessionId(top))
                                        : Optional.empty());
        return named.isPresent() && sessions.isWithin(session, named.get().id());
    }
}
