package dev.coppice.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.kernel.Cursor;
import dev.coppice.outside.OutsideProcess;
import dev.coppice.outside.OutsideProcess.Consent;
import dev.coppice.session.Session;
import dev.coppice.wiring.Store;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The contract of every store for processes of programs that Coppice did not start. */
class OutsideProcessesContractTest {
    private static final Session ONE = Given.root("one");
    private static final Session TWO = Given.root("two");

    private static void begin(Store store) {
        store.sessions().add(ONE);
        store.sessions().add(TWO);
    }

    private static OutsideProcess process(Session session, long pid) {
        return new OutsideProcess(session.id(), "host", pid, null, "codex", Consent.WATCH, null);
    }

    @ParameterizedTest
    @EnumSource
    void a_session_has_one_process_and_a_process_one_session(Stores stores) {
        try (var opened = stores.open(_ -> {})) {
            var store = opened.store();
            var processes = store.outside();
            store.transactions()
                    .write(() -> {
                        begin(store);
                        var seen = process(ONE, 7).confirmed("boot:1");
                        processes.save(seen);
                        assertThat(processes.of(ONE.id())).contains(seen);
                        var asked = seen.endBy(Given.T);
                        processes.save(asked);
                        assertThat(processes.with("host", 7)).contains(asked);
                        assertThat(processes.with("other", 7)).isEmpty();
                        // A new conversation in the same process.
                        processes.save(process(TWO, 7));
                        assertThat(processes.of(ONE.id())).isEmpty();
                        assertThat(processes.with("host", 7)).contains(process(TWO, 7));
                        // The session goes on in another process.
                        processes.save(process(TWO, 8));
                        assertThat(processes.on("host", 9)).containsExactly(process(TWO, 8));
                        assertThat(processes.count("host")).isEqualTo(1);
                        return 0;
                    });
        }
    }

    @ParameterizedTest
    @EnumSource
    void processes_are_listed_for_a_session_and_deleted(Stores stores) {
        try (var opened = stores.open(_ -> {})) {
            var store = opened.store();
            var processes = store.outside();
            store.transactions()
                    .write(() -> {
                        begin(store);
                        processes.save(process(ONE, 7));
                        processes.save(process(TWO, 8));
                        var first = Cursor.first(9);
                        assertThat(processes.list(null, first).items()).hasSize(2);
                        assertThat(processes.list(TWO.id(), first).items())
                                .containsExactly(process(TWO, 8));
                        processes.delete(TWO.id());
                        assertThat(processes.list(TWO.id(), first).items()).isEmpty();
                        return 0;
                    });
        }
    }
}
