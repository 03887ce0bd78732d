package dev.coppice.runner.drive.dialect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.runner.drive.dialect.PendingQuestions.Answered;
import dev.coppice.runner.drive.dialect.PendingQuestions.Option;
import dev.coppice.runner.drive.dialect.PendingQuestions.Question;
import dev.coppice.runner.drive.dialect.PendingQuestions.Reach;
import dev.coppice.wire.Json;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Objects;

/** A person's words choose among the options that a program offers. */
class PendingQuestionsTest {
    private static final Option ONCE = Option.once("this-time", true);
    private static final Option ALWAYS = new Option("for-good", true, Reach.ALWAYS);
    private static final Option NO = Option.once("no", false);

    private static Answered answered(String said, Option... options) {
        var questions = new PendingQuestions(new Heard());
        questions.ask("a", new Question("q", "Bash", Json.object(), List.of(options)));
        return Objects.requireNonNull(questions.answer(said));
    }

    @Test
    void a_plain_yes_permits_this_time_alone() {
        assertThat(answered("yes", ALWAYS, ONCE, NO).option()).isEqualTo(ONCE);
        var called = new Option("Yes", true, Reach.ALWAYS);
        assertThat(answered("yes", called, ONCE, NO).option()).isEqualTo(ONCE);
        assertThat(answered("ok", ALWAYS, NO).option()).isEqualTo(NO);
        assertThat(answered("yes", called, NO).option()).isEqualTo(NO);
    }

    @Test
    void more_is_permitted_by_the_name_of_its_option() {
        assertThat(answered("for-good", ALWAYS, ONCE, NO).option()).isEqualTo(ALWAYS);
        assertThat(answered("For-Good ", ALWAYS, NO).option()).isEqualTo(ALWAYS);
    }

    @Test
    void other_words_refuse_and_are_the_reason() {
        var refused = answered("not the root", ALWAYS, ONCE, NO);
        assertThat(refused.allowed()).isFalse();
        assertThat(refused.said()).isEqualTo("not the root");
    }
}
