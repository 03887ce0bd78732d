package dev.coppice.sim;

import dev.coppice.access.Caller;
import dev.coppice.access.IssuedToken;
import dev.coppice.access.Role;
import dev.coppice.access.TokenId;
import dev.coppice.access.Tokens;
import dev.coppice.audit.Act;
import dev.coppice.follow.Follower;
import dev.coppice.follow.Followers;
import dev.coppice.follow.Tail;
import dev.coppice.held.HeldStore;
import dev.coppice.journal.Journal;
import dev.coppice.kernel.Cursor;
import dev.coppice.kernel.Ids;
import dev.coppice.kernel.RunId;
import dev.coppice.removal.Choices;
import dev.coppice.removal.Removal;
import dev.coppice.removal.RemovalState;
import dev.coppice.removal.RemoveTree;
import dev.coppice.removal.UndoRemoval;
import dev.coppice.request.Reply;
import dev.coppice.request.TopicNotifier;
import dev.coppice.run.Run;
import dev.coppice.scene.Clock;
import dev.coppice.scene.PlainPrompting;
import dev.coppice.session.Session;
import dev.coppice.session.SessionFilter;
import dev.coppice.web.Door;
import dev.coppice.wire.Json;
import dev.coppice.wire.Method;
import dev.coppice.wiring.Rules;
import dev.coppice.wiring.Store;
import dev.coppice.word.Choice;
import dev.coppice.work.InspectedWork;

import org.jspecify.annotations.Nullable;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.Supplier;

/**
 * The coordinator as its callers see it, in one thread and on virtual time: requests with tokens,
 * roles and keys pass the operations of the REST face, and readers follow the journal as those of
 * the event stream, the pages of hooks and MCP do. The writer may be busy for long, readers are
 * slow, and the coordinator restarts. {@link World} plays the rules below in more depth.
 */
public final class FaceWorld implements Simulated {
    /** A blueprint with a capability, and with a schema for its parameters. */
    static final String CHECKED = "checked";

    private static final int SESSIONS_MAX = 30;
    private static final int FOLLOWERS_MAX = 7;
    private static final Duration LOOK = Duration.ofSeconds(1);
    private static final Duration SWEEP = Duration.ofSeconds(2);
    private static final Cursor ALL = Cursor.first(1_000);
    private static final Act.Who WHO = new Act.Who("someone", "operator");

    private final Random random;
    private final FaceFault fault;
    private final Clock clock = new Clock();
    private final Timers timers = new Timers(clock);
    private final TopicNotifier notifier = new TopicNotifier();
    private final HeldStore store = new HeldStore(notifier);
    private final WriterLine line = new WriterLine(store, timers::passUntil, this::committed);
    private final Truth truth = new Truth(store);
    private final Tokens tokens = new Tokens("the administrator's");
    private final SimFaces faces;
    private final Ids ids;
    private final List<String> story = new ArrayList<>();
    private final List<SimFollower> followers = new ArrayList<>();
    private final List<SimFollower> away = new ArrayList<>();
    private final List<FaceRunner> runners = new ArrayList<>();
    private final List<Keyed> keyed = new ArrayList<>();
    private final List<String> waitsWithinWrites = new ArrayList<>();
    private final List<RunId> lostByHealthyRunners = new ArrayList<>();
    private final List<String> otherAnswers = new ArrayList<>();
    private final Activity activity = new Activity();
    private @Nullable SimFollower reading;
    private boolean isAway;
    private Rules rules;
    private Tail tail;
    private Followers places;
    private Door door;

    /** A request that created something under a key, and its answer. */
    private record Keyed(Door.Request request, String answer) {}

    /** The counts of what happened: a simulation in which little happens proves nothing. */
    static final class Activity {
        int done;
        int refused;
        int repeated;
        int attached;
        int lost;
        int sent;
    }

    private FaceWorld(long seed, FaceFault fault, Path registries) {
        this.random = new Random(seed);
        this.fault = fault;
        this.ids = Ids.from(random);
        this.faces = new SimFaces(clock, notifier, fault, registries, this::takesTime);
        this.rules = coordinator();
        this.tail = tail();
        this.places = Followers.ofThisProcess();
        this.door = faces.door(rules, tokens);
        truth.tailHasRead(0);
        runners.add(new FaceRunner(this, "well-1", random, false));
        runners.add(new FaceRunner(this, "well-2", random, false));
        runners.add(new FaceRunner(this, "sleepy", random, true));
        timers.after(SWEEP, this::expireLeases);
        timers.after(LOOK, this::tailLooks);
    }

    /** A world with these registries, which have the blueprint {@link #CHECKED}. */
    static FaceWorld of(long seed, FaceFault fault, Path registries) {
        return new FaceWorld(seed, fault, registries);
    }

    private Rules coordinator() {
        var held = store.ports();
        var ports =
                new Store(
                        line,
                        held.sessions(),
                        held.runs(),
                        held.hookedRuns(),
                        held.outside(),
                        held.runners(),
                        held.callbacks(),
                        held.joins(),
                        held.treeStops(),
                        held.removals(),
                        held.audit(),
                        held.treeRows(),
                        held.inventory(),
                        held.workplaces(),
                        held.tasks(),
                        held.budgets(),
                        held.accountHolds(),
                        held.journal(),
                        fault.over(held.receipts()),
                        held.signals());
        var backups = new SimBackups(new Disk(), () -> false, _ -> takesTime("writing a backup"));
        var outside =
                new Rules.Outside(
                        clock, ids, new PlainPrompting(), (_, _, _) -> List.of(), backups);
        return new Rules(ports, outside, World.TERMS);
    }

    private Tail tail() {
        return new Tail(line, fault.over(store.journal()), fault.over(store.sessions()), notifier);
    }

    @Override
    public void step() {
        int what = random.nextInt(100);
        if (what < 12) tell("a run starts", this::startRun);
        else if (what < 15) tell("a request is repeated", this::repeat);
        else if (what < 29) tell("an event is reported", this::report);
        else if (what < 37) tell("a root gets a parent", this::attach);
        else if (what < 39) tell("a session is stopped", this::stop);
        else if (what < 41) tell("a tree is frozen or thawed", this::freeze);
        else if (what < 43) tell("a session is removed", this::remove);
        else if (what < 49) tell("removals advance", this::removalsGoOn);
        else if (what < 51) tell("a removal is undone", this::undo);
        else if (what < 55) tell("a reader comes", this::follow);
        else if (what < 58) tell("a reader hangs up or comes back", this::hangUpOrComeBack);
        else if (what < 74) tell("a reader reads", this::read);
        else if (what < 77) tell("the tail reads", () -> String.valueOf(readTail()));
        else if (what < 88) runnerSteps();
        else if (what < 93) tell("time passes", () -> pass(random.nextInt(8_000)));
        else if (what < 95) tell("the writer is busy", this::beBusy);
        else if (what < 99) tell("the sweeps run", this::sweep);
        else tell("the coordinator restarts", this::restart);
    }

    private void tell(String what, Supplier<String> happens) {
        var began = clock.instant();
        story.add("%s %s: %s".formatted(began, what, happens.get()));
    }

    private void runnerSteps() {
        var runner = any(runners);
        tell(runner.toString(), runner::step);
    }

    /** Sends a request, and returns the status and the body of the answer. */
    private String send(Door.Request request) {
        Reply reply;
        try {
            reply = door.pass(request);
        } catch (IllegalStateException e) {
            // Slow work throws within a write: see WriteUnderWay.
            if (!String.valueOf(e.getMessage()).contains("within a write")) throw e;
            waitsWithinWrites.add(e.getMessage());
            return "threw";
        }
        if (reply.status() < 300) activity.done++;
        else activity.refused++;
        return reply.status() + " " + (reply instanceof Reply.Body b ? Json.write(b.value()) : "");
    }

    private String ask(Method method, String path, String body) {
        var who = anyCaller();
        var request = new Door.Request(who.token(), method, path, Map.of(), body);
        return "%s %s %s: %s".formatted(who.caller().key(), method, path, send(request));
    }

    /** A caller, and the token that proves it. */
    private record Bearer(Caller caller, String token) {}

    private Bearer anyCaller() {
        var all = sessions();
        int what = random.nextInt(10);
        if (what < 4 || all.isEmpty()) return bearer(Caller.as(Role.OPERATOR));
        if (what < 8) {
            var session = any(all);
            return new Bearer(
                    Caller.agent(session.id()),
                    tokens.issue(session.id(), session.times().created()));
        }
        if (what == 8) return confined(any(all));
        return bearer(Caller.as(random.nextBoolean() ? Role.VIEWER : Role.INGEST));
    }

    private Bearer bearer(Caller caller) {
        return new Bearer(caller, tokens.issue(caller));
    }

    /** A person whose token is confined to a session and all below it. */
    private Bearer confined(Session top) {
        var issued =
                new IssuedToken(
                        TokenId.made(ids),
                        Role.OPERATOR,
                        top.id(),
                        null,
                        clock.instant(),
                        null,
                        null,
                        IssuedToken.Origin.CREATED,
                        null,
                        null);
        faces.issued().add(issued);
        return new Bearer(issued.caller(), tokens.issue(issued.id()));
    }

    private String startRun() {
        var all = sessions();
        if (all.size() >= SESSIONS_MAX) return "too many sessions";
        var who = anyCaller();
        var body = Json.object();
        var parameters = body.putObject("parameters").put("prompt", "go");
        if (random.nextInt(6) == 0 && !all.isEmpty()) {
            body.put("type", "resume_session").put("session_id", any(all).id().value());
        } else if (!all.isEmpty() && random.nextInt(3) > 0) {
            body.put("parent_session_id", any(all).id().value());
        }
        if (!body.has("type") && random.nextBoolean()) {
            body.put("agent_name", CHECKED);
            parameters.put("n", random.nextInt(9));
        }
        var key = Map.of("idempotency-key", ids.twelveHex());
        var request = new Door.Request(who.token(), Method.POST, "/runs", key, body.toString());
        var answer = send(request);
        if (answer.startsWith("2")) keyed.add(new Keyed(request, answer));
        return who.caller().key() + " " + body + ": " + answer;
    }

    /** The answer to the first request was lost, so its caller sends it again. */
    private String repeat() {
        if (keyed.isEmpty()) return "nothing there";
        var before = any(keyed);
        var again = send(before.request());
        boolean isRefused = again.startsWith("401");
        if (!isRefused && !again.equals(before.answer())) {
            otherAnswers.add("%s, and then %s".formatted(before.answer(), again));
        }
        activity.repeated++;
        return again;
    }

    private String report() {
        var all = sessions();
        if (all.isEmpty()) return "nothing there";
        var path = "/sessions/%s/events".formatted(any(all).id());
        return ask(Method.POST, path, "{\"event_type\":\"tool\"}");
    }

    private String attach() {
        var all = sessions();
        var roots = all.stream().filter(s -> s.place().parentId() == null).toList();
        if (roots.isEmpty()) return "nothing there";
        var path = "/sessions/%s/attach".formatted(any(roots).id());
        var body = "{\"parent_session_id\":\"%s\"}".formatted(any(all).id());
        var said = ask(Method.POST, path, body);
        if (said.contains(": 200")) activity.attached++;
        return said;
    }

    private String stop() {
        var all = sessions();
        if (all.isEmpty()) return "nothing there";
        var path = "/sessions/%s/stop".formatted(any(all).id());
        var reach = random.nextInt(3) == 0 ? "tree" : "session";
        return ask(Method.POST, path, "{\"scope\":\"%s\"}".formatted(reach));
    }

    private String freeze() {
        var all = sessions();
        if (all.isEmpty()) return "nothing there";
        var what = random.nextBoolean() ? "freeze" : "thaw";
        return ask(Method.POST, "/sessions/%s/%s".formatted(any(all).id(), what), "{}");
    }

    /** Begins the removal of a session, whose children are detached or removed with it. */
    private String remove() {
        var all = sessions();
        if (all.isEmpty()) return "nothing there";
        var top = any(all).id();
        var choices =
                new Choices(
                        random.nextBoolean() ? Choice.Children.DETACH : Choice.Children.CASCADE,
                        Choice.Running.STOP,
                        Choice.Critical.REFUSE,
                        Choice.Purge.LATER,
                        Choice.Unreachable.WAIT,
                        Duration.ofSeconds(20),
                        new Choices.Preservation(
                                Choice.Work.PRESERVE,
                                random.nextBoolean() ? Choice.Backup.YES : Choice.Backup.NO,
                                Choice.Ignored.LIST,
                                Choice.Directories.MADE));
        var request = new RemoveTree.Request(choices, WHO, null, null, InspectedWork.NOTHING);
        return top + ": " + World.said(rules.removeTree.begin(top, request));
    }

    private String removalsGoOn() {
        int advanced = 0;
        for (int i = 0; i < 4; i++) advanced += rules.removalSteps.advance();
        return advanced + " advanced, " + rules.removalSteps.backUp() + " backed up";
    }

    private String undo() {
        var hidden =
                store.read(() -> store.removals().everyOne()).stream()
                        .filter(r -> r.state() instanceof RemovalState.Hidden)
                        .map(Removal::id)
                        .toList();
        if (hidden.isEmpty()) return "nothing there";
        var id = any(hidden);
        return World.said(rules.undoRemoval.undo(id, UndoRemoval.Names.RENAME, WHO));
    }

    private String follow() {
        var all = sessions();
        if (all.isEmpty() || followers.size() + away.size() >= FOLLOWERS_MAX) return "no";
        var caller = random.nextInt(4) == 0 ? Caller.as(Role.VIEWER) : anyCaller().caller();
        var scope =
                switch (random.nextInt(4)) {
                    case 0 -> Journal.Scope.of(any(all).id());
                    case 1 -> new Journal.Scope(null, any(all).id());
                    default -> Journal.Scope.ALL;
                };
        var view = new Truth.View(caller.session(), scope);
        followers.add(new SimFollower(this, caller, view));
        return caller.key() + " " + view;
    }

    private String hangUpOrComeBack() {
        if (!away.isEmpty() && (followers.isEmpty() || random.nextBoolean())) {
            var one = away.removeFirst();
            if (!isValid(one.caller())) return "its token is no longer valid";
            one.comeBack();
            followers.add(one);
            return "comes back at " + one.received();
        }
        if (followers.isEmpty()) return "nothing there";
        var one = followers.remove(random.nextInt(followers.size()));
        one.hangUp();
        away.add(one);
        return "hangs up at " + one.received();
    }

    /** A stream closes within a second when its token is no longer valid. */
    private boolean isValid(Caller caller) {
        return faces.validity(rules).isGood(caller);
    }

    private String read() {
        if (followers.isEmpty()) return "nothing there";
        return read(any(followers));
    }

    private String read(SimFollower follower) {
        if (!isValid(follower.caller())) {
            followers.remove(follower);
            follower.hangUp();
            return "its token is no longer valid";
        }
        reading = follower;
        try {
            follower.read();
        } finally {
            reading = null;
        }
        return follower.caller().key() + " to " + follower.received();
    }

    private boolean readTail() {
        boolean hasRead = tail.read();
        truth.tailHasRead(oldest());
        if (reading != null) reading.seesChange();
        return hasRead;
    }

    private void tailLooks() {
        if (!isAway) readTail();
        timers.after(LOOK, this::tailLooks);
    }

    /** The number from which some reader may still have to get entries. */
    private long oldest() {
        long oldest = Long.MAX_VALUE;
        for (var follower : followers) oldest = Math.min(oldest, follower.received());
        for (var follower : away) oldest = Math.min(oldest, follower.received());
        return oldest == Long.MAX_VALUE ? 0 : oldest;
    }

    private void committed() {
        if (truth.hasChanged(oldest()) && reading != null) reading.seesChange();
    }

    /** A sweep that waits for the writer expires leases as of the time when it was asked for. */
    private void expireLeases() {
        var asked = clock.instant();
        line.inTurn(() -> {
            if (!isAway) rules.expireLeases.sweep(asked);
            timers.after(SWEEP, this::expireLeases);
        });
    }

    private String beBusy() {
        var until = clock.instant().plusMillis(random.nextInt(40_000));
        line.beBusy(until);
        return "until " + until;
    }

    private String sweep() {
        return rules.runSweeps.unmatchedRuns()
                + " unmatched, "
                + rules.deliver.deliverDue()
                + " woken, "
                + rules.stopTree.retryStops(rules.ports)
                + " stops went on";
    }

    private String pass(int millis) {
        timers.passUntil(clock.instant().plusMillis(millis));
        return millis + " ms";
    }

    /** No runner can renew meanwhile, so leases get their full length before the first request. */
    private String restart() {
        followers.forEach(SimFollower::hangUp);
        isAway = true;
        pass(random.nextInt(30_000));
        rules = coordinator();
        tail = tail();
        places = Followers.ofThisProcess();
        door = faces.door(rules, tokens);
        rules.renew.extendAllLeases();
        isAway = false;
        truth.tailHasRead(oldest());
        followers.removeIf(f -> !isValid(f.caller()));
        followers.forEach(SimFollower::comeBack);
        return followers.size() + " readers come back";
    }

    /** All readers come back, and get what is left for them. */
    @Override
    public void calm() {
        away.removeIf(f -> !isValid(f.caller()));
        away.forEach(SimFollower::comeBack);
        followers.addAll(away);
        away.clear();
        readTail();
        for (int i = 0; i < 50 && !followers.isEmpty(); i++) {
            for (var follower : List.copyOf(followers)) read(follower);
            readTail();
        }
    }

    @Override
    public String story() {
        return String.join("\n", story);
    }

    /** Lets time pass for slow work, which has no place within a write. */
    void takesTime(String what) {
        if (line.isWriting()) waitsWithinWrites.add(what);
        else pass(1 + random.nextInt(300));
    }

    /** A reader on a slow line: now and then the world goes on before it has read an entry. */
    void readsSlowly() {
        activity.sent++;
        if (random.nextInt(3) == 0) takesTime("sending an entry to a reader");
    }

    /** A follower that may go back to a number. The first one starts a new ring. */
    Follower follow(SimFollower one, Journal.Scope scope, long from) {
        boolean isFirst = followers.isEmpty();
        var caller = one.caller();
        var follower = Follower.of(tail, one.place(), caller, scope, faces.validity(rules));
        long oldest = Math.min(from, oldest());
        if (isFirst) truth.tailHasRead(oldest);
        else truth.reachesBackTo(oldest);
        return follower;
    }

    void isLost(RunId run, boolean renewedInTime) {
        if (renewedInTime) lostByHealthyRunners.add(run);
        else activity.lost++;
    }

    /** The waits within a write for anything but the store. */
    public List<String> waitsWithinWrites() {
        return List.copyOf(waitsWithinWrites);
    }

    /** Runs that were lost although their runner renewed their leases in time. */
    public List<RunId> lostByHealthyRunners() {
        return List.copyOf(lostByHealthyRunners);
    }

    /** Answers to repeated requests that differ from the first ones. */
    public List<String> otherAnswers() {
        return List.copyOf(otherAnswers);
    }

    /** The entries that readers got and may not see, and those that they did not get. */
    public Optional<String> wrongToReaders() {
        return followers.stream().flatMap(f -> f.wrong().stream()).findFirst();
    }

    Optional<Run> run(RunId id) {
        return store.read(() -> store.runs().find(id));
    }

    private List<Session> sessions() {
        return store.read(() -> store.sessions().list(SessionFilter.ALL, ALL)).items();
    }

    private <T> T any(List<T> all) {
        return all.get(random.nextInt(all.size()));
    }

    WriterLine line() {
        return line;
    }

    Timers timers() {
        return timers;
    }

    Truth truth() {
        return truth;
    }

    Rules rules() {
        return rules;
    }

    Followers followers() {
        return places;
    }

    FaceFault fault() {
        return fault;
    }

    Activity activity() {
        return activity;
    }

    Instant now() {
        return clock.instant();
    }

    boolean isAway() {
        return isAway;
    }
}
