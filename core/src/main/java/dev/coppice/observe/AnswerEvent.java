package dev.coppice.observe;

import dev.coppice.journal.Fact;
import dev.coppice.journal.Journal;
import dev.coppice.kernel.JsonText;

import java.time.InstantSource;

/** Stores a person's answer to an event, and records it in the journal. */
public record AnswerEvent(Observations observations, Journal journal, InstantSource clock) {
    /** Joins the current transaction. A later answer replaces an earlier one. */
    public Observations.Sent answer(Observations.Sent event, JsonText answer) {
        observations.answer(event, answer);
        journal.append(event.node(), null, new Fact.EventAnswered(event.number()), clock.instant());
        return event.with(answer);
    }
}
