package dev.coppice.store;

import dev.coppice.fleet.Runner;
import dev.coppice.kernel.Demands;
import dev.coppice.kernel.Ids;
import dev.coppice.kernel.JsonText;
import dev.coppice.kernel.RunId;
import dev.coppice.kernel.RunnerId;
import dev.coppice.kernel.SessionId;
import dev.coppice.removal.Choices;
import dev.coppice.removal.Removal;
import dev.coppice.removal.RemovalId;
import dev.coppice.removal.RemovalState;
import dev.coppice.run.Holder;
import dev.coppice.run.Lease;
import dev.coppice.run.Result;
import dev.coppice.run.Run;
import dev.coppice.run.RunState;
import dev.coppice.run.Task;
import dev.coppice.scene.NoBackups;
import dev.coppice.scene.PlainPrompting;
import dev.coppice.scene.Scene;
import dev.coppice.session.Limits;
import dev.coppice.session.Place;
import dev.coppice.session.Profile;
import dev.coppice.session.Session;
import dev.coppice.session.SessionState;
import dev.coppice.session.Standing;
import dev.coppice.session.Times;
import dev.coppice.wiring.Rules;
import dev.coppice.wiring.Store;
import dev.coppice.word.ExecutionMode;
import dev.coppice.word.RunType;
import dev.coppice.word.SessionType;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Random;
import java.util.Set;

/** Sessions, runs and runners for tests. */
public final class Given {
    public static final Instant T = Instant.parse("2026-01-01T00:00:00Z");

    private Given() {}

    public static Session root(String name) {
        var id = new SessionId(name);
        return session(name, new Place(null, id, 0, name));
    }

    public static Session child(Session parent, String name) {
        var place =
                new Place(
                        new Place.Parent(parent.id(), parent.name()),
                        parent.place().root(),
                        parent.place().depth() + 1,
                        parent.place().path() + "." + name);
        return session(name, place);
    }

    private static Session session(String name, Place place) {
        return new Session(
                new SessionId(name),
                name,
                place.depth() == 0 ? SessionType.MAIN : SessionType.SUBAGENT,
                place,
                new Profile(
                        "/projects/" + name,
                        "sh",
                        "test",
                        new JsonText("{\"a\":[1,\"ü\"]}"),
                        new Profile.Binding("x1", "local", "host")),
                new SessionState.Pending(T),
                new Times(T, null, null, null),
                Limits.NONE.with(Limits.Kind.DEPTH, 3).with(Limits.Kind.DESCENDANTS, 20),
                Standing.NEW);
    }

    public static Session in(Session s, SessionState state) {
        var ended = state instanceof SessionState.Ended ? state.since() : null;
        return new Session(
                s.id(),
                s.name(),
                s.type(),
                s.place(),
                s.profile(),
                state,
                new Times(s.times().created(), T, null, ended),
                s.limits(),
                s.standing());
    }

    public static Run run(String id, Session session) {
        return new Run(
                new RunId(id),
                session.id(),
                RunType.START_SESSION,
                ExecutionMode.ASYNC_CALLBACK,
                new Task(
                        "sh",
                        new JsonText("{\"kind\":\"command\"}"),
                        new JsonText("{\"prompt\":\"hi\"}"),
                        new JsonText("{\"s\":1}"),
                        "/work",
                        new Task.Terms(
                                Duration.ofSeconds(60),
                                Duration.ofHours(1),
                                "team",
                                Task.Hooks.NONE)),
                new Demands("host", null, "local", "autonomous", Set.of("gpu", "big")),
                new RunState.Queued(T),
                new Run.Marks(T, null, null, null, T.plusSeconds(300)),
                Result.NOTHING);
    }

    public static Run in(Run r, RunState state) {
        var ended = state instanceof RunState.Ended ? state.since() : null;
        return new Run(
                r.id(),
                r.session(),
                r.type(),
                r.mode(),
                r.task(),
                r.demands(),
                state,
                new Run.Marks(T, T, T, ended, r.marks().unmatchedAt()),
                r.result());
    }

    /** A registered runner; a lease must name one. */
    public static Runner runner(String id) {
        return new Runner(
                new RunnerId(id),
                new Runner.Post(id, "/", "default"),
                new Runner.Skills(
                        JsonText.EMPTY_OBJECT, "", Set.of(), Runner.Matching.ANY_RUN, 8, null),
                Runner.Protocol.FENCED,
                T,
                T);
    }

    public static Lease lease(String runner, long fence, Instant until) {
        return new Lease(new Holder(new RunnerId(runner), fence), until);
    }

    /** A coordinator on this store. */
    public static Rules rules(Store store) {
        return rules(store, InstantSource.system());
    }

    public static Rules rules(Store store, InstantSource clock) {
        var outside =
                new Rules.Outside(
                        clock,
                        Ids.from(new Random(5)),
                        new PlainPrompting(),
                        (_, _, _) -> List.of(),
                        new NoBackups());
        return new Rules(store, outside, Scene.TERMS.with(Limits.DEFAULT));
    }

    /** The restore of a tree with this top. */
    public static Removal restoring(Session top) {
        return new Removal(
                new RemovalId("rem_1"),
                new Removal.Top(top.id(), top.name(), null),
                Choices.CAREFUL,
                new Removal.Order("tester", null, true, null),
                new Removal.Taken(1, 1, 0, 0),
                "digest",
                new RemovalState.Restoring(T),
                new Removal.Times(T, null, null, null),
                null);
    }
}
