package dev.coppice.request;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.kernel.Demands;
import dev.coppice.kernel.RunnerId;
import dev.coppice.kernel.Topic;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.Set;

class TopicNotifierTest {
    private static final Demands GPU = new Demands(null, null, null, null, Set.of("gpu"));
    private static final Topic ANY = new Topic.RunQueued(Demands.NONE);
    private final TopicNotifier notifier = new TopicNotifier();

    private TopicNotifier.Subscription taker(Topic... topics) {
        return notifier.subscribeForRuns(demands -> demands.tags().isEmpty(), topics);
    }

    private static Set<Topic> heard(TopicNotifier.Subscription subscription)
            throws InterruptedException {
        return subscription.awaitTopics(Duration.ZERO);
    }

    @Test
    void a_queued_run_wakes_one_of_those_that_can_take_it() throws Exception {
        try (var first = taker();
                var second = taker();
                var gpu = notifier.subscribeForRuns(demands -> demands.equals(GPU))) {
            notifier.accept(ANY);
            assertThat(heard(second)).isEmpty();
            assertThat(heard(first)).containsExactly(ANY);
            notifier.accept(new Topic.RunQueued(GPU));
            assertThat(heard(first)).isEmpty();
            assertThat(heard(gpu)).containsExactly(new Topic.RunQueued(GPU));
        }
    }

    @Test
    void two_queued_runs_wake_two() throws Exception {
        try (var first = taker();
                var second = taker()) {
            notifier.accept(ANY);
            notifier.accept(ANY);
            assertThat(heard(first)).containsExactly(ANY);
            assertThat(heard(second)).containsExactly(ANY);
        }
    }

    /** It has not looked at what it was woken for yet, which may be something else. */
    @Test
    void one_that_is_being_woken_already_is_told_if_there_is_no_other() throws Exception {
        var task = new Topic.TaskWaits();
        try (var one = taker(task);
                var gpu = notifier.subscribeForRuns(demands -> demands.equals(GPU))) {
            notifier.accept(task);
            notifier.accept(ANY);
            assertThat(heard(one)).containsExactlyInAnyOrder(task, ANY);
            assertThat(heard(gpu)).isEmpty();
        }
    }

    @Test
    void one_that_is_full_passes_it_on_and_gets_no_more_until_it_resumes() throws Exception {
        try (var full = taker();
                var other = taker()) {
            notifier.accept(ANY);
            full.passOn(heard(full));
            assertThat(heard(other)).containsExactly(ANY);
            notifier.accept(ANY);
            assertThat(heard(full)).isEmpty();
            assertThat(heard(other)).containsExactly(ANY);
            full.resume();
            notifier.accept(ANY);
            notifier.accept(ANY);
            assertThat(heard(full)).containsExactly(ANY);
        }
    }

    /** Its poll may have been given up, so nobody looks for the run. */
    @Test
    void one_that_ends_without_having_heard_it_passes_it_on() throws Exception {
        var gone = taker();
        try (var other = taker()) {
            notifier.accept(ANY);
            gone.close();
            assertThat(heard(other)).containsExactly(ANY);
        }
    }

    @Test
    void the_signalled_topics_are_told_apart() throws Exception {
        var stop = new Topic.StopWanted(new RunnerId("r1"));
        try (var one = taker(stop, new Topic.TaskWaits());
                var other = notifier.subscribe(new Topic.TaskWaits())) {
            notifier.accept(stop);
            notifier.accept(new Topic.StopWanted(new RunnerId("r2")));
            assertThat(heard(one)).containsExactly(stop);
            assertThat(heard(one)).isEmpty();
            assertThat(heard(other)).isEmpty();
        }
    }
}
