package dev.coppice.alert;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.held.HeldStore;
import dev.coppice.kernel.Cursor;
import dev.coppice.kernel.SessionId;
import dev.coppice.kernel.Slice;
import dev.coppice.scene.Clock;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** An alert reaches its receiver at least once, or is given up after many tries. */
class DeliverAlertsTest {
    private final Clock clock = new Clock();
    private final List<String> taken = new ArrayList<>();
    private @Nullable String answer;

    /** One alert. */
    private static final class One implements Alerts {
        private Alert alert;

        One(Instant now) {
            alert =
                    new Alert(
                            "alert_1",
                            new SessionId("s"),
                            "s",
                            Alert.Kind.FAILED,
                            "broke",
                            now,
                            new Alert.Delivery(Alert.State.DUE, 0, now, null));
        }

        @Override
        public News unread(int max) {
            return new News(0, 0, List.of());
        }

        @Override
        public boolean read(News news) {
            return false;
        }

        @Override
        public boolean add(Alert added, Instant since) {
            return false;
        }

        @Override
        public Slice<Alert> list(@Nullable SessionId within, Cursor cursor) {
            return new Slice<>(List.of(alert), null);
        }

        @Override
        public List<Alert> due(Instant now, int max) {
            var due = alert.delivery().due();
            return due == null || due.isAfter(now) ? List.of() : List.of(alert);
        }

        @Override
        public boolean save(Alert before, Alert.Delivery next) {
            if (!before.delivery().equals(alert.delivery())) return false;
            alert = alert.with(next);
            return true;
        }
    }

    private DeliverAlerts delivering(One one) {
        return new DeliverAlerts(
                new HeldStore(_ -> {}),
                one,
                alert -> {
                    taken.add(alert.id());
                    return answer;
                },
                clock);
    }

    @Test
    void an_alert_that_is_taken_is_not_sent_again() {
        var one = new One(clock.instant());
        assertThat(delivering(one).sweep()).isOne();
        clock.pass(Duration.ofDays(1));
        assertThat(delivering(one).sweep()).isZero();
        assertThat(taken).hasSize(1);
        assertThat(one.alert.delivery().state()).isEqualTo(Alert.State.DELIVERED);
    }

    @Test
    void an_alert_that_is_refused_is_sent_again_after_waits_that_double() {
        answer = "the receiver answered 500";
        var one = new One(clock.instant());
        var deliver = delivering(one);
        deliver.sweep();
        clock.pass(Duration.ofMillis(4_999));
        deliver.sweep();
        assertThat(taken).hasSize(1);
        clock.pass(Duration.ofMillis(1));
        deliver.sweep();
        clock.pass(Duration.ofSeconds(9));
        deliver.sweep();
        assertThat(taken).hasSize(2);
        assertThat(one.alert.delivery().error()).isEqualTo(answer);
        for (int i = 0; i < 30; i++) {
            clock.pass(Duration.ofHours(1));
            deliver.sweep();
        }
        assertThat(taken).hasSize(DeliverAlerts.TRIES_MAX);
        assertThat(one.alert.delivery().state()).isEqualTo(Alert.State.DEAD);
    }

    @Test
    void another_coordinator_that_has_taken_it_sends_it_alone() {
        var one = new One(clock.instant());
        var seen = one.alert;
        delivering(one).sweep();
        assertThat(one.save(seen, new Alert.Delivery(Alert.State.DEAD, 1, null, null))).isFalse();
    }
}
