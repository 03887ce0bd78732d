package dev.coppice.alert;

import dev.coppice.journal.Fact;
import dev.coppice.journal.Journal;
import dev.coppice.kernel.Ids;
import dev.coppice.kernel.Transactions;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.Locale;

/** Reads the journal, and raises an alert for each session that did not end well. */
public final class RaiseAlerts {
    private static final int ENTRIES_AT_ONCE = 2_000;

    private final Transactions transactions;
    private final Alerts alerts;
    private final Journal journal;
    private final Ids ids;
    private final boolean isSent;

    /** {@code isSent} tells whether somebody receives alerts. */
    public RaiseAlerts(
            Transactions transactions, Alerts alerts, Journal journal, Ids ids, boolean isSent) {
        this.transactions = transactions;
        this.alerts = alerts;
        this.journal = journal;
        this.ids = ids;
        this.isSent = isSent;
    }

    /** Returns 1 if there may be more to read. */
    public int sweep() {
        var news = transactions.read(() -> alerts.unread(ENTRIES_AT_ONCE));
        if (news.to() == news.from()) return 0;
        transactions.write(() -> {
            if (!alerts.read(news)) return news;
            for (var end : news.ends()) raise(end);
            return news;
        });
        return news.to() - news.from() >= ENTRIES_AT_ONCE ? 1 : 0;
    }

    private void raise(Alerts.End end) {
        var id = "alert_" + ids.twelveHex();
        var delivery =
                isSent ? delivery(Alert.State.DUE, end.at()) : delivery(Alert.State.UNSENT, null);
        var alert =
                new Alert(
                        id,
                        end.session(),
                        end.name(),
                        end.kind(),
                        end.reason(),
                        end.at(),
                        delivery);
        if (!alerts.add(alert, end.since())) return;
        var kind = end.kind().name().toLowerCase(Locale.ROOT);
        journal.appendAbout(end.session(), new Fact.AlertRaised(id, kind, end.reason()), end.at());
    }

    private static Alert.Delivery delivery(Alert.State state, @Nullable Instant due) {
        return new Alert.Delivery(state, 0, due, null);
    }
}
