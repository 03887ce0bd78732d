package dev.coppice.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.access.Caller;
import dev.coppice.access.Role;
import dev.coppice.kernel.Ids;
import dev.coppice.kernel.JsonText;
import dev.coppice.kernel.Outcome;
import dev.coppice.kernel.SessionId;
import dev.coppice.observe.AnswerEvent;
import dev.coppice.observe.Observation;
import dev.coppice.observe.Observation.Moment;
import dev.coppice.observe.RecordObservations;
import dev.coppice.session.Limits;
import dev.coppice.session.StartSession;
import dev.coppice.session.TreeQuota;
import dev.coppice.store.engine.Database;
import dev.coppice.store.schema.Databases;
import dev.coppice.store.session.SqlWaves;
import dev.coppice.wiring.Store;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Random;

/** Events of observed agents on both databases: stored, placed, read, answered. */
class ObservationsTest {
    private static final Caller ANYONE = Caller.as(Role.ADMIN);
    private static final Instant T = Instant.parse("2026-11-21T02:00:00Z");

    /** A database, and the rules about observed agents on it. */
    private record Scene(Database database, Store store, SqlObservations seen, String url)
            implements AutoCloseable {
        static Scene on(Stores kind) {
            var file = Stores.file();
            var url = kind == Stores.SQLITE ? "jdbc:sqlite:" + file : Stores.url();
            var clock = InstantSource.system();
            var database =
                    kind == Stores.SQLITE
                            ? Databases.sqlite(file, clock, _ -> {})
                            : Databases.postgres(url, Duration.ZERO, clock, _ -> {});
            return new Scene(database, SqlStore.on(database), new SqlObservations(), url);
        }

        List<Outcome<Long>> record(Observation... events) {
            var room = new TreeQuota(store.sessions(), Limits.DEFAULT);
            var clock = InstantSource.fixed(T);
            var start =
                    new StartSession(
                            database,
                            store.sessions(),
                            store.journal(),
                            room,
                            clock,
                            Ids.from(new Random(7)));
            var record =
                    new RecordObservations(
                            seen,
                            store.sessions(),
                            store.journal(),
                            start,
                            new SqlWaves(),
                            room,
                            clock);
            return database.write(() -> record.record(List.of(events), ANYONE));
        }

        List<String> query(String sql) throws SQLException {
            var found = new java.util.ArrayList<String>();
            try (var connection = DriverManager.getConnection(url);
                    var statement = connection.createStatement();
                    var rows = statement.executeQuery(sql)) {
                while (rows.next()) found.add(rows.getString(1));
            }
            return found;
        }

        @Override
        public void close() {
            assertThat(database.read(() -> store.inventory().leftovers())).isEmpty();
            database.close();
        }
    }

    private static Observation event(
            String session,
            @Nullable String agent,
            String type,
            long millis,
            Observation.@Nullable Spawn spawn) {
        var body =
                "{\"source_app\":\"app\",\"payload\":{\"odd\":\"\\u0000 \\ud800\",\"n\":%d},\"summary\":\"s\"}"
                        .formatted(millis);
        var moment = type.endsWith("Stop") ? Moment.ENDS : Moment.WORKS;
        return new Observation(
                new SessionId(session),
                agent,
                type,
                T.plusMillis(millis),
                new Observation.Message(new JsonText(body), body.length()),
                new Observation.Hints("app", null, "w", null, spawn, moment));
    }

    @ParameterizedTest
    @EnumSource(names = {"SQLITE", "POSTGRES"})
    void events_are_stored_placed_and_read_again(Stores kind) throws SQLException {
        try (var scene = Scene.on(kind)) {
            var numbers =
                    scene.record(
                            event("s", null, "SessionStart", 1, null),
                            event("s", "inner", "SubagentStart", 3, null),
                            event("s", "outer", "SubagentStart", 2, null),
                            event(
                                    "s",
                                    "outer",
                                    "PostToolUse",
                                    4,
                                    new Observation.Spawn.Answered("t1", "inner", "x", false)),
                            event("s", "inner", "SubagentStop", 5, null),
                            event("t", null, "SessionStart", 6, null));
            assertThat(numbers).allMatch(n -> n instanceof Outcome.Done<Long>);
            assertThat(scene.query("select session_path from session_relationships order by 1"))
                    .hasSize(2);
            assertThat(
                            scene.query(
                                    "select parent_session_id from session_relationships"
                                            + " where child_session_id = 's~inner'"))
                    .containsExactly("s~outer");
            // A value that PostgreSQL cannot read must not hide the event, nor any other.
            assertThat(
                            scene.query(
                                    "select payload from events where hook_event_type ="
                                            + " 'SubagentStop'"))
                    .singleElement()
                    .asString()
                    .contains("\"n\":5");
            assertThat(scene.query("select summary from events where wave_id = 'w'"))
                    .hasSize(6)
                    .allMatch("s"::equals);
            var recent = scene.database().read(() -> scene.seen().recent(null, 2));
            assertThat(recent)
                    .extracting(e -> e.at().toEpochMilli() - T.toEpochMilli())
                    .containsExactly(5L, 6L);
            var below =
                    scene.database().read(() -> scene.seen().recent(new SessionId("s~outer"), 10));
            assertThat(below).hasSize(4);
            var options = scene.database().read(() -> scene.seen().options(null, 10));
            assertThat(options.apps()).containsExactly("app");
            assertThat(options.sessions()).containsExactly("t", "s");
            assertThat(options.types())
                    .containsExactly(
                            "PostToolUse", "SessionStart", "SubagentStart", "SubagentStop");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"SQLITE", "POSTGRES"})
    void an_answer_stands_with_its_event(Stores kind) {
        try (var scene = Scene.on(kind)) {
            var first = scene.record(event("s", null, "Ask", 1, null)).getFirst();
            long number = first instanceof Outcome.Done<Long>(var n) ? n : -1;
            var answer =
                    new AnswerEvent(scene.seen(), scene.store().journal(), InstantSource.fixed(T));
            scene.database()
                    .write(() ->
                            answer.answer(
                                    scene.seen().find(number).orElseThrow(),
                                    new JsonText("{\"response\":\"yes\"}")));
            var found = scene.database().read(() -> scene.seen().find(number)).orElseThrow();
            assertThat(found.answer()).isEqualTo(new JsonText("{\"response\":\"yes\"}"));
        }
    }
}
