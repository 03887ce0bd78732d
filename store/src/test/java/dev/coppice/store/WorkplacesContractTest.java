package dev.coppice.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.session.Session;
import dev.coppice.session.SessionState;
import dev.coppice.wiring.Store;
import dev.coppice.work.Workplace;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The contract of every store for workplaces. */
class WorkplacesContractTest {
    private static final Session PLAN = Given.root("plan");

    private static void worksIn(Store store, String directory) {
        write(
                store,
                () -> {
                    store.sessions().add(PLAN);
                    var made = Workplace.Made.BY_OTHERS;
                    store.workplaces()
                            .note(new Workplace(PLAN.id(), "host", directory, made, "/runs"));
                });
    }

    private static boolean isInUse(Store store, String directory) {
        return store.transactions().read(() -> store.workplaces().isInUse("host", directory));
    }

    private static void write(Store store, Runnable what) {
        store.transactions()
                .write(() -> {
                    what.run();
                    return 0;
                });
    }

    @ParameterizedTest
    @EnumSource
    void a_directory_in_use_includes_its_parents_and_subdirectories(Stores stores) {
        try (var opened = stores.open(_ -> {})) {
            var store = opened.store();
            worksIn(store, "/work/a");
            assertThat(isInUse(store, "/work/a")).isTrue();
            assertThat(isInUse(store, "/work/a/inner/most")).as("above it").isTrue();
            assertThat(isInUse(store, "/work")).as("below it").isTrue();
            assertThat(isInUse(store, "/")).as("below the root").isTrue();
            assertThat(isInUse(store, "/work/ab")).as("beside it").isFalse();
            assertThat(isInUse(store, "/work/a%")).as("a wildcard").isFalse();
            var elsewhere =
                    store.transactions().read(() -> store.workplaces().isInUse("other", "/work/a"));
            assertThat(elsewhere).as("another host").isFalse();
        }
    }

    @ParameterizedTest
    @EnumSource
    void an_ended_session_uses_no_directory(Stores stores) {
        try (var opened = stores.open(_ -> {})) {
            var store = opened.store();
            worksIn(store, "/");
            assertThat(isInUse(store, "/d")).as("below it").isTrue();
            write(
                    store,
                    () -> {
                        var end = new SessionState.Finished(Given.T.plusSeconds(5), "done");
                        store.sessions().save(Given.in(PLAN, end));
                    });
            assertThat(isInUse(store, "/d")).isFalse();
        }
    }
}
