package dev.coppice.run;

import dev.coppice.journal.Fact;
import dev.coppice.journal.Journal;

import java.time.Instant;

/** Records in the journal what happens to runs, in the same transaction. */
final class RunJournal {
    private final Journal journal;

    RunJournal(Journal journal) {
        this.journal = journal;
    }

    void started(Run run, Instant at) {
        journal.append(run.session(), run.id(), new Fact.RunStarted(), at);
    }

    void result(Run run, Instant at) {
        var result = run.result();
        if (result.isEmpty()) return;
        journal.append(
                run.session(), run.id(), new Fact.ResultGiven(result.text(), result.data()), at);
    }

    void ended(Run run, RunState.Ended end) {
        var fact =
                switch (end) {
                    case RunState.Finished _ -> new Fact.RunCompleted(0);
                    case RunState.Stopped(_, var reason, _) -> new Fact.RunStopped(reason);
                    case RunState.Failed(_, var reason, _) -> new Fact.RunFailed(reason);
                    case RunState.TimedOut(_, var reason, _) -> new Fact.RunFailed(reason);
                    case RunState.Lost(_, var reason, _) -> new Fact.RunFailed(reason);
                };
        journal.append(run.session(), run.id(), fact, end.since());
    }
}
