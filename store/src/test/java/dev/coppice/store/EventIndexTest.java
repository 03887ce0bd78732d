package dev.coppice.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.journal.EventIndex;
import dev.coppice.journal.EventIndex.Page;
import dev.coppice.journal.Fact;
import dev.coppice.journal.IndexEvents;
import dev.coppice.journal.Journal;
import dev.coppice.journal.Journal.Scope;
import dev.coppice.journal.SearchText;
import dev.coppice.kernel.JsonText;
import dev.coppice.session.Session;
import dev.coppice.session.SessionState;
import dev.coppice.store.engine.Postgres;
import dev.coppice.store.engine.Sqlite;
import dev.coppice.wiring.Store;
import dev.coppice.word.Ending;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.List;

/** Events are found on both databases: plan has draft, and other is a tree of its own. */
class EventIndexTest {
    private static final Session PLAN = Given.root("plan");
    private static final Session DRAFT = Given.child(PLAN, "draft");
    private static final Session OTHER = Given.root("other");
    private static final Scope ALL = Scope.ALL;
    private static final Scope BELOW_PLAN = new Scope(null, PLAN.id());

    /** A filled journal, indexed as far as the sweep has come. */
    private record Indexed(Stores.Opened opened, EventIndex index) implements AutoCloseable {
        static Indexed on(Stores kind) {
            var opened = kind.open(_ -> {});
            var dialect = kind == Stores.SQLITE ? new Sqlite() : new Postgres();
            var filled = new Indexed(opened, new SqlEventIndex(dialect));
            filled.write(() -> List.of(PLAN, DRAFT, OTHER).forEach(store(opened).sessions()::add));
            filled.tell(PLAN, "PreToolUse", "{\"tool_name\":\"Bash\",\"tool_input\":\"ls -la\"}");
            filled.tell(DRAFT, "PostToolUse", "{\"tool_name\":\"Edit\",\"text\":\"Crème brûlée\"}");
            filled.tell(
                    DRAFT, "PostToolUse", "{\"tool_name\":\"Bash\",\"error\":\"No such file\"}");
            filled.tell(OTHER, "message", "{\"text\":\"no connection, such a refused-file.txt\"}");
            filled.tell(
                    OTHER, "message", "{\"text\":[\"broken \\u0000 \\ud800\", 3, {\"a\":null}]}");
            while (filled.sweep() > 0) {}
            return filled;
        }

        private static Store store(Stores.Opened opened) {
            return opened.store();
        }

        private void write(Runnable work) {
            store(opened)
                    .transactions()
                    .write(() -> {
                        work.run();
                        return 0;
                    });
        }

        void tell(Session session, String type, String body) {
            var fact = new Fact.Reported(type, new JsonText(body));
            write(() -> store(opened).journal().append(session.id(), null, fact, Given.T));
        }

        int sweep() {
            var store = store(opened);
            return new IndexEvents(store.transactions(), index, store.journal()).sweep();
        }

        List<EventIndex.Hit> find(Page page, EventIndex.Search search) {
            return store(opened).transactions().read(() -> index.find(page, search)).hits();
        }

        /** The numbers that are found, newest first. */
        List<Long> find(Scope scope, String text) {
            return numbers(
                    new EventIndex.Search(scope, null, SearchText.of(text), List.of(), null, null));
        }

        List<Long> numbers(EventIndex.Search search) {
            return find(new Page(Long.MAX_VALUE, true, 10), search).stream()
                    .map(hit -> hit.entry().number())
                    .toList();
        }

        @Override
        public void close() {
            opened.close();
        }
    }

    private static EventIndex.Search where(
            List<String> types, @Nullable String tool, @Nullable Ending ending) {
        return new EventIndex.Search(ALL, null, SearchText.of(""), types, tool, ending);
    }

    @ParameterizedTest
    @EnumSource(names = "MEMORY", mode = EnumSource.Mode.EXCLUDE)
    void words_are_found_in_any_form(Stores kind) {
        try (var events = Indexed.on(kind)) {
            assertThat(events.find(ALL, "such file")).containsExactly(4L, 3L);
            assertThat(events.find(ALL, "\"such file\"")).containsExactly(3L);
            assertThat(events.find(ALL, "CREME")).containsExactly(2L);
            assertThat(events.find(ALL, "refused-file.txt")).containsExactly(4L);
            assertThat(events.find(ALL, "file.txt")).containsExactly(4L);
            assertThat(events.find(ALL, "connec")).isEmpty();
            assertThat(events.find(ALL, "connec*")).containsExactly(4L);
            assertThat(events.find(ALL, "file -connection")).containsExactly(3L);
            assertThat(events.find(ALL, "broken")).containsExactly(5L);
            assertThat(events.find(ALL, "' OR \" ) & | ! <-> :*")).isEmpty();
            assertThat(events.find(ALL, "nothing")).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(names = "MEMORY", mode = EnumSource.Mode.EXCLUDE)
    void conditions_and_scopes_narrow_the_search(Stores kind) {
        try (var events = Indexed.on(kind)) {
            assertThat(events.find(BELOW_PLAN, "file")).containsExactly(3L);
            assertThat(events.find(Scope.of(PLAN.id()), "ls")).containsExactly(1L);
            assertThat(events.find(Scope.of(PLAN.id()), "file")).isEmpty();
            assertThat(events.numbers(where(List.of("PostToolUse", "message"), null, null)))
                    .containsExactly(5L, 4L, 3L, 2L);
            assertThat(events.numbers(where(List.of(), "bash", null))).containsExactly(3L, 1L);
            assertThat(events.numbers(where(List.of(), "Bash", Ending.FAILED))).containsExactly(3L);
            assertThat(events.numbers(where(List.of(), null, Ending.OK))).containsExactly(2L);
        }
    }

    @ParameterizedTest
    @EnumSource(names = "MEMORY", mode = EnumSource.Mode.EXCLUDE)
    void pages_go_both_ways(Stores kind) {
        try (var events = Indexed.on(kind)) {
            var all = where(List.of("PostToolUse", "message"), null, null);
            assertThat(events.find(new Page(5, true, 2), all))
                    .extracting(hit -> hit.entry().number())
                    .containsExactly(4L, 3L);
            assertThat(events.find(new Page(2, false, 2), all))
                    .extracting(hit -> hit.entry().number())
                    .containsExactly(3L, 4L);
        }
    }

    @ParameterizedTest
    @EnumSource(names = "MEMORY", mode = EnumSource.Mode.EXCLUDE)
    void an_excerpt_shows_where_it_matches(Stores kind) {
        try (var events = Indexed.on(kind)) {
            var text = "lorem ".repeat(100) + "needle, " + "ipsum ".repeat(100);
            events.tell(OTHER, "message", "{\"text\":\"" + text + "\"}");
            assertThat(events.find(ALL, "needle")).isEmpty();
            assertThat(events.sweep()).isOne();
            var search =
                    new EventIndex.Search(
                            ALL, null, SearchText.of("needle ips*"), List.of(), null, null);
            var found = events.find(new Page(Long.MAX_VALUE, true, 1), search).getFirst();
            var excerpt = found.excerpt();
            assertThat(excerpt.text()).hasSizeLessThanOrEqualTo(200).contains("needle, ipsum");
            assertThat(excerpt.matches())
                    .extracting(m -> excerpt.text().substring(m.from(), m.to()))
                    .startsWith("needle", "ipsum", "ipsum");
        }
    }

    @ParameterizedTest
    @EnumSource(names = "MEMORY", mode = EnumSource.Mode.EXCLUDE)
    void deleted_events_leave_the_index(Stores kind) {
        try (var events = Indexed.on(kind)) {
            events.tell(PLAN, "message", "{\"text\":\"not yet indexed\"}");
            events.write(() ->
                    List.of(PLAN, DRAFT, OTHER)
                            .forEach(session ->
                                    events.opened()
                                            .store()
                                            .sessions()
                                            .save(
                                                    Given.in(
                                                            session,
                                                            new SessionState.Finished(
                                                                    Given.T, "done")))));
            events.write(() ->
                    assertThat(
                                    events.opened()
                                            .store()
                                            .journal()
                                            .forget(
                                                    new Journal.Due(
                                                            Journal.Types.ALL, 0, Given.T, 100))
                                            .deleted())
                            .isEqualTo(6));
            assertThat(events.find(ALL, "file")).isEmpty();
            assertThat(events.sweep()).isZero();
            events.tell(PLAN, "message", "{\"text\":\"a new file\"}");
            assertThat(events.sweep()).isOne();
            assertThat(events.find(ALL, "file")).containsExactly(7L);
        }
    }
}
