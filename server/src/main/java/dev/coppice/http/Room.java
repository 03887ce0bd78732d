package dev.coppice.http;

import dev.coppice.access.Access;
import dev.coppice.access.Need;
import dev.coppice.kernel.Outcome;
import dev.coppice.kernel.Transactions;
import dev.coppice.session.Session;
import dev.coppice.session.Sessions;
import dev.coppice.view.Asked;
import dev.coppice.web.Exchange;
import dev.coppice.web.Problems;
import dev.coppice.web.Rejected;
import dev.coppice.web.Reply;

import java.util.function.Function;

/** What every resource works with, and the way each of them gets at the session it is about. */
public record Room(Transactions transactions, Sessions sessions, Access access) {
    static final Asked ASKED = new Asked(Rejected::new);

    /** Reads within one transaction, if the caller may see the session. */
    Reply reading(Exchange x, Function<Session, Reply> then) {
        return transactions.read(() -> let(x, Need.READ, then));
    }

    /** Changes within one transaction, if the caller may do this with the session. */
    Reply writing(Exchange x, Need need, Function<Session, Reply> then) {
        return transactions.write(() -> let(x, need, then));
    }

    private Reply let(Exchange x, Need need, Function<Session, Reply> then) {
        return switch (access.session(x.caller(), need, x.session())) {
            case Outcome.Done<Session>(var session) -> then.apply(session);
            case Outcome.Refused<Session>(var refusal) -> Problems.reply(refusal);
        };
    }
}
