package dev.coppice.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.session.Session;
import dev.coppice.session.SessionState;
import dev.coppice.work.Workplace;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What every keeper of places keeps to. */
class WorkplacesContractTest {
    private static final Session PLAN = Given.root("plan");

    private static void note(Store store, Session session, String directory) {
        store.workplaces()
                .note(
                        new Workplace(
                                session.id(),
                                "host",
                                directory,
                                Workplace.Made.BY_OTHERS,
                                "/runs"));
    }

    private static boolean isInUse(Store store, String directory, int secondsLater) {
        var by = Given.T.plusSeconds(secondsLater);
        return store.transactions().read(() -> store.workplaces().isInUse("host", directory, by));
    }

    @ParameterizedTest
    @EnumSource
    void a_directory_is_in_use_with_those_around_it(Stores stores) {
        try (var opened = stores.open(_ -> {})) {
            var store = opened.store();
            store.transactions()
                    .write(() -> {
                        store.sessions().add(PLAN);
                        note(store, PLAN, "/work/a");
                        return 0;
                    });
            assertThat(isInUse(store, "/work/a", 0)).isTrue();
            assertThat(isInUse(store, "/work/a/inner/most", 0)).as("above it").isTrue();
            assertThat(isInUse(store, "/work", 0)).as("below it").isTrue();
            assertThat(isInUse(store, "/", 0)).as("below the root").isTrue();
            assertThat(isInUse(store, "/work/ab", 0)).as("beside it").isFalse();
            assertThat(isInUse(store, "/work/a%", 0)).as("a sign").isFalse();
            var elsewhere =
                    store.transactions()
                            .read(() -> store.workplaces().isInUse("other", "/work/a", Given.T));
            assertThat(elsewhere).as("another host").isFalse();
        }
    }

    @ParameterizedTest
    @EnumSource
    void who_came_later_or_had_ended_before_does_not_use_it(Stores stores) {
        try (var opened = stores.open(_ -> {})) {
            var store = opened.store();
            store.transactions()
                    .write(() -> {
                        store.sessions().add(PLAN);
                        note(store, PLAN, "/d");
                        return 0;
                    });
            assertThat(isInUse(store, "/d", -1)).as("not there yet").isFalse();
            store.transactions()
                    .write(() -> {
                        var end = new SessionState.Finished(Given.T.plusSeconds(5), "done");
                        store.sessions().save(Given.in(PLAN, end));
                        return 0;
                    });
            assertThat(isInUse(store, "/d", 5)).as("it had not ended before").isTrue();
            assertThat(isInUse(store, "/d", 6)).as("it had ended").isFalse();
        }
    }
}
