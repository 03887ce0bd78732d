package dev.coppice.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.coppice.audit.Act;
import dev.coppice.audit.AuditChain;
import dev.coppice.audit.AuditRecord;
import dev.coppice.kernel.Cursor;
import dev.coppice.kernel.SessionId;
import dev.coppice.kernel.Slice;
import dev.coppice.removal.Choices;
import dev.coppice.removal.Removal;
import dev.coppice.removal.RemovalId;
import dev.coppice.removal.RemovalState;
import dev.coppice.session.SessionState;
import dev.coppice.store.engine.Sql;
import dev.coppice.store.engine.Tx;
import dev.coppice.wiring.Store;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** The contract of every audit implementation. */
class AuditContractTest {
    private static Act act(String what, @Nullable String session) {
        return new Act(
                Given.T,
                new Act.Who("OPERATOR", "operator"),
                new Act.What(what, session, session, "rem_1", "détail"),
                session == null ? Act.Decision.refused("no") : Act.Decision.allowed(null),
                "b",
                null);
    }

    private static AuditRecord append(Store store, Act act) {
        return store.transactions().write(() -> store.audit().append(act));
    }

    private static List<AuditRecord> all(Store store) {
        return store.transactions().read(() -> store.audit().after(0, null, 1000));
    }

    private static List<AuditChain.Flaw> flaws(Store store) {
        var check = new AuditChain.Check(null);
        all(store).forEach(check::read);
        return check.flaws();
    }

    @ParameterizedTest
    @EnumSource
    void records_come_back_as_written_and_form_a_chain(Stores stores) {
        try (var opened = stores.open(_ -> {})) {
            var store = opened.store();
            assertThat(store.transactions().read(() -> store.audit().head()))
                    .isEqualTo(AuditChain.BEGINNING);
            var one = append(store, act("one", "s1"));
            var two = append(store, act("two", null));
            var three = append(store, act("three", "s1"));
            assertThat(all(store)).containsExactly(one, two, three);
            assertThat(flaws(store)).isEmpty();
            assertThat(store.transactions().read(() -> store.audit().head()))
                    .isEqualTo(three.hash());
            var page =
                    store.transactions()
                            .read(() -> store.audit().list(new SessionId("s1"), Cursor.first(1)));
            assertThat(page.items()).containsExactly(three);
            assertThat(page.next()).isEqualTo("3");
        }
    }

    /**
     * The audit of the top does not include records about its members, and that of a member does
     * not include another removal of the top.
     */
    @ParameterizedTest
    @EnumSource
    void the_audit_of_a_member_includes_the_removal_that_covered_it(Stores stores) {
        try (var opened = stores.open(_ -> {})) {
            var store = opened.store();
            var top = Given.root("top");
            var kid = Given.child(top, "kid");
            var over = new SessionState.Finished(Given.T, "done");
            store.transactions()
                    .write(() -> {
                        for (var s : List.of(top, kid)) store.sessions().add(Given.in(s, over));
                        var removal = removal(new RemovalState.Fencing(Given.T, null));
                        store.removals().add(removal);
                        return store.removals().enlist(removal, 10);
                    });
            var asked = append(store, act("asked", "top", "rem_1"));
            var other = append(store, act("other", "top", "rem_2"));
            var own = append(store, act("own", "kid", null));
            var along = append(store, act("along", "top", "rem_1"));
            assertThat(of(store, "kid")).containsExactly(asked, own, along);
            assertThat(of(store, "top")).containsExactly(asked, other, along);
            var page = listed(store, Cursor.first(2));
            assertThat(page.items()).containsExactly(along, own);
            var rest = listed(store, new Cursor(page.next(), 2));
            assertThat(rest.items()).containsExactly(asked);
            assertThat(rest.next()).isNull();
            store.transactions()
                    .write(() -> {
                        store.removals().release(new RemovalId("rem_1"), 10);
                        store.removals().save(removal(new RemovalState.TakenBack(Given.T, "no")));
                        return 0;
                    });
        }
    }

    private static List<AuditRecord> of(Store store, String session) {
        return store.transactions()
                .read(() -> store.audit().after(0, new SessionId(session), 1000));
    }

    private static Slice<AuditRecord> listed(Store store, Cursor cursor) {
        return store.transactions().read(() -> store.audit().list(new SessionId("kid"), cursor));
    }

    private static Act act(String what, String session, @Nullable String removal) {
        return new Act(
                Given.T,
                new Act.Who("OPERATOR", "operator"),
                new Act.What(what, session, session, removal, null),
                Act.Decision.allowed(null),
                null,
                null);
    }

    private static Removal removal(RemovalState state) {
        return new Removal(
                new RemovalId("rem_1"),
                new Removal.Top(new SessionId("top"), "top", null),
                Choices.CAREFUL,
                new Removal.Order("tester", null, false, null),
                new Removal.Taken(2, 0, 0, 0),
                "digest",
                state,
                new Removal.Times(Given.T, null, null, state.isOver() ? Given.T : null),
                null);
    }

    /** Two concurrent records must not both follow the same predecessor. */
    @ParameterizedTest
    @EnumSource
    void concurrent_appends_form_one_chain(Stores stores) throws Exception {
        try (var opened = stores.open(_ -> {});
                var pool = Executors.newFixedThreadPool(8)) {
            var store = opened.store();
            var written = new ArrayList<Future<?>>();
            for (int i = 0; i < 80; i++) {
                var what = "act " + i;
                written.add(pool.submit(() -> append(store, act(what, "s1"))));
            }
            for (var each : written) each.get();
            assertThat(all(store)).hasSize(80);
            assertThat(flaws(store)).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(names = "MEMORY", mode = EnumSource.Mode.EXCLUDE)
    void the_schema_itself_refuses_to_change_or_delete_a_record(Stores stores) {
        try (var opened = stores.open(_ -> {})) {
            var store = opened.store();
            append(store, act("one", "s1"));
            for (var sql : List.of("update audit set who = 'me'", "delete from audit")) {
                assertThatThrownBy(() ->
                                store.transactions().write(() -> Tx.call(Sql.of(sql)).update()))
                        .hasStackTraceContaining("only appended to");
            }
            assertThat(flaws(store)).isEmpty();
        }
    }
}
