package dev.coppice.boot;

import dev.coppice.access.Caller;
import dev.coppice.audit.Act;
import dev.coppice.audit.Audit;
import dev.coppice.audit.HourlyLimit;
import dev.coppice.kernel.RequestRefusal;
import dev.coppice.kernel.Transactions;
import dev.coppice.web.RoleCheck;
import dev.coppice.wire.Shape;

import java.time.InstantSource;

/** Audits requests that the role of the caller forbids. */
record RefusedRequests(
        Transactions transactions, Audit audit, InstantSource clock, HourlyLimit limit)
        implements RoleCheck.Refused {

    @Override
    public void note(Caller caller, String what, RequestRefusal refusal) {
        var who = new Act.Who(caller.key(), Shape.word(caller.role()));
        var asked = new Act.What("request", null, null, null, what);
        var refused = Act.Decision.refused(refusal.said());
        if (!limit.tryCount(who, clock.instant())) return;
        var act = new Act(clock.instant(), who, asked, refused, null, null);
        transactions.write(() -> {
            audit.append(act);
            return act;
        });
    }
}
