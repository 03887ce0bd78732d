package dev.coppice.alert;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.alert.Alert.Delivery;
import dev.coppice.held.HeldStore;
import dev.coppice.kernel.Cursor;
import dev.coppice.kernel.SessionId;
import dev.coppice.kernel.Slice;
import dev.coppice.scene.Clock;
import dev.coppice.word.AlertKind;

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
        private final Alert alert;
        private Delivery delivery;

        /** A due alert that another coordinator claims before this one does. */
        private @Nullable Alert claimed;

        One(Instant now) {
            delivery = Delivery.due("phone", now);
            alert =
                    new Alert(
                            "alert_1",
                            new SessionId("s"),
                            "s",
                            AlertKind.FAILED,
                            "failed",
                            "broke",
                            now,
                            List.of(delivery));
        }

        private Alert now() {
            return now(alert.id());
        }

        private Alert now(String id) {
            return new Alert(
                    id,
                    alert.session(),
                    alert.sessionName(),
                    alert.kind(),
                    alert.cause(),
                    alert.reason(),
                    alert.raised(),
                    List.of(delivery));
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
        public boolean add(Alert added, @Nullable Instant since) {
            return false;
        }

        @Override
        public Slice<Alert> list(@Nullable SessionId within, Cursor cursor) {
            return new Slice<>(List.of(now()), null);
        }

        @Override
        public List<Alert> due(Instant now, int max) {
            var due = delivery.due();
            if (due == null || due.isAfter(now)) return List.of();
            return claimed == null ? List.of(now()) : List.of(claimed, now());
        }

        @Override
        public boolean save(Alert of, Delivery before, Delivery next) {
            if (!of.id().equals(alert.id()) || !before.equals(delivery)) return false;
            delivery = next;
            return true;
        }

        @Override
        public List<Cause> silent(Instant since, int max) {
            return List.of();
        }

        @Override
        public List<Cause> asking(Instant since) {
            return List.of();
        }
    }

    private DeliverAlerts delivering(One one) {
        DeliverAlerts.Receiver phone =
                alert -> {
                    taken.add(alert.id());
                    return answer;
                };
        return new DeliverAlerts(
                new HeldStore(_ -> {}), one, name -> name.equals("phone") ? phone : null, clock);
    }

    @Test
    void an_alert_that_is_taken_is_not_sent_again() {
        var one = new One(clock.instant());
        assertThat(delivering(one).sweep()).isOne();
        clock.pass(Duration.ofDays(1));
        assertThat(delivering(one).sweep()).isZero();
        assertThat(taken).hasSize(1);
        assertThat(one.delivery.state()).isEqualTo(Alert.State.DELIVERED);
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
        assertThat(one.delivery.error()).isEqualTo(answer);
        for (int i = 0; i < 30; i++) {
            clock.pass(Duration.ofHours(1));
            deliver.sweep();
        }
        assertThat(taken).hasSize(DeliverAlerts.TRIES_MAX);
        assertThat(one.delivery.state()).isEqualTo(Alert.State.DEAD);
    }

    @Test
    void another_coordinator_that_has_taken_it_sends_it_alone() {
        var one = new One(clock.instant());
        var seen = one.delivery;
        delivering(one).sweep();
        var later = new Delivery("phone", Alert.State.DEAD, 1, null, null);
        assertThat(one.save(one.alert, seen, later)).isFalse();
    }

    @Test
    void an_alert_that_another_coordinator_has_claimed_does_not_hold_up_its_channel() {
        var one = new One(clock.instant());
        one.claimed = one.now("alert_0");
        assertThat(delivering(one).sweep()).isOne();
        assertThat(taken).hasSize(1);
    }

    @Test
    void a_channel_that_is_gone_ends_the_delivery() {
        var one = new One(clock.instant());
        one.delivery = Delivery.due("fax", clock.instant());
        delivering(one).sweep();
        assertThat(one.delivery.state()).isEqualTo(Alert.State.DEAD);
        assertThat(taken).isEmpty();
    }
}
