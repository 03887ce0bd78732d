package dev.coppice.runner.drive.dialect;

import org.jspecify.annotations.Nullable;

/** A dialect whose program asks people, for instance whether it may use a tool. */
abstract class AskingDialect implements Dialect {
    final PendingQuestions questions;

    AskingDialect(Upstream up) {
        this.questions = new PendingQuestions(up);
    }

    /** Passes a person's answer to the program. */
    abstract void answered(PendingQuestions.Answered answer);

    @Override
    public final @Nullable String question() {
        return questions.first();
    }

    @Override
    public final boolean answer(String text) {
        var answer = questions.answer(text);
        if (answer == null) return false;
        answered(answer);
        return true;
    }
}
