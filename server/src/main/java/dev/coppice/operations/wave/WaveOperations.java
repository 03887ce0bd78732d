package dev.coppice.operations.wave;

import dev.coppice.access.Need;
import dev.coppice.kernel.BlueprintRefusal;
import dev.coppice.kernel.Ids;
import dev.coppice.kernel.JsonText;
import dev.coppice.kernel.Outcome;
import dev.coppice.kernel.RequestRefusal;
import dev.coppice.kernel.SessionId;
import dev.coppice.kernel.SessionRefusal;
import dev.coppice.kernel.Topic;
import dev.coppice.operations.Given;
import dev.coppice.operations.JoinWave;
import dev.coppice.operations.Watch;
import dev.coppice.request.Context;
import dev.coppice.request.Operation;
import dev.coppice.request.Operation.Commit;
import dev.coppice.request.Wait;
import dev.coppice.run.Ports;
import dev.coppice.schema.JsonSchemas;
import dev.coppice.session.ParentReference;
import dev.coppice.stop.StopTree;
import dev.coppice.stop.TreeStop;
import dev.coppice.view.WaveViews;
import dev.coppice.view.WaveViews.Evidence;
import dev.coppice.wave.AdvanceWaves;
import dev.coppice.wave.DerivedWaves;
import dev.coppice.wave.Planned;
import dev.coppice.wave.Wave;
import dev.coppice.wave.WaveMember;
import dev.coppice.wave.WavePlan;
import dev.coppice.wave.WaveReport;
import dev.coppice.wave.Waves;
import dev.coppice.wire.Json;
import dev.coppice.wire.wave.WaveCalls;
import dev.coppice.wire.wave.WaveCalls.WaveView;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Starts, shows and stops waves. */
public record WaveOperations(
        JoinWave waves,
        Ports ports,
        AdvanceWaves advanceWaves,
        MemberStarter starter,
        JsonSchemas schemas,
        StopTree stopTree,
        Watch watch,
        Ids ids) {
    private static final int NAMED_MAX = 20;
    private static final int NEEDS_MAX = 10_000;
    private static final int MEMBERS_STOPPED_MAX = 10_000;

    /** The limit of plans of one session that wait at once. */
    private static final int WAITING_MAX = 100;

    public List<Operation<?, ?>> all() {
        return List.of(
                Operation.changing(WaveCalls.START, Need.SPAWN, ports.transactions(), this::start),
                Operation.of(WaveCalls.LIST, Need.READ, this::list),
                Operation.of(WaveCalls.READ, Need.READ, this::read).then((x, in, _) -> wait(x, in)),
                Operation.of(WaveCalls.STOP, Need.ACT, this::stop));
    }

    private Waves stored() {
        return waves.waves();
    }

    private Outcome<Commit<WaveView>> start(Context x, WaveCalls.Start in) {
        var parent =
                Given.parent(in.parentSessionId(), in.parentSessionName()).orElse(x.inherited());
        var above = x.session();
        if (!parent.isMade() && above != null) parent = ParentReference.of(above);
        var claim = parent;
        var found = ports.transactions().read(() -> parent(x, claim));
        return found.then(top -> plan(in, top.orElse(null), x.caller().isPerson()))
                .then(plan -> checked(plan))
                .map(plan -> in.dryRun() ? () -> planned(plan) : () -> added(plan));
    }

    private Outcome<Optional<SessionId>> parent(Context x, ParentReference claim) {
        if (!claim.isMade()) return Outcome.done(Optional.empty());
        var forbidden = waves.scope().parentForbidden(x, claim);
        if (forbidden.isPresent()) return Outcome.refused(forbidden.get());
        var parent = claim.in(ports.sessions());
        return parent.isPresent()
                ? Outcome.done(parent.map(session -> session.id()))
                : Outcome.refused(new SessionRefusal.ParentUnknown(claim.asSaid()));
    }

    private Outcome<WavePlan> plan(
            WaveCalls.Start in, @Nullable SessionId parent, boolean isByPerson) {
        var now = ports.clock().instant();
        var id = "wave_" + ids.twelveHex();
        var stagger = in.stagger();
        var wave =
                new Wave(
                        id,
                        in.name() == null ? id : in.name(),
                        parent,
                        in.concurrency(),
                        stagger == null ? Duration.ZERO : stagger.value(),
                        Given.object(in.parameters()),
                        isByPerson,
                        now);
        var given = in.parameters() == null ? Json.object() : in.parameters();
        var schema = in.parametersSchema();
        if (schema != null) {
            var wanted = new JsonText(schema.toString());
            var faults = schemas.faults(wanted);
            if (!faults.isEmpty()) {
                throw Given.bad("parameters_schema", faults.getFirst(), "a JSON Schema");
            }
            var wrong = schemas.violations(wanted, given);
            if (!wrong.isEmpty()) {
                return Outcome.refused(
                        new BlueprintRefusal.ParametersInvalid(
                                BlueprintRefusal.Whose.WAVE,
                                wave.name(),
                                wrong,
                                wanted,
                                BlueprintRefusal.Presence.GIVEN));
            }
        }
        var members = new ArrayList<Planned>();
        List<JsonNode> texts = in.members() == null ? List.of() : in.members();
        for (int i = 0; i < texts.size(); i++) {
            members.add(MemberText.read(texts.get(i), i, now));
        }
        return Outcome.done(new WavePlan(wave, members));
    }

    /** Checks names and needs, and then each request as if it were started now. */
    private Outcome<WavePlan> checked(WavePlan plan) {
        int needs = plan.members().stream().mapToInt(m -> WavePlan.needs(m).size()).sum();
        if (needs > NEEDS_MAX) {
            throw Given.bad(
                    "members",
                    needs + " needs",
                    "at most %d needs of members in all".formatted(NEEDS_MAX));
        }
        var names = new LinkedHashSet<String>();
        for (var member : plan.members()) {
            if (names.add(member.name())) continue;
            throw Given.bad("members", member.name(), "members with different names");
        }
        var parameters = Json.read(plan.wave().parameters().value());
        for (var member : plan.members()) {
            for (var need : WavePlan.needs(member)) {
                if (!names.contains(need)) throw Given.bad(member.name(), need, anyOf(names));
            }
            MemberText.checkPlaceholders(member, parameters);
        }
        if (plan.levels().size() < plan.members().size()) {
            throw Given.bad("members", "a circle", "members that do not need each other in turn");
        }
        for (var member : plan.members()) {
            var above = member.below() == null ? plan.wave().parent() : null;
            var placed = new AdvanceWaves.Placed(plan.wave(), member, above, Map.of());
            var ready = starter.prepare(placed);
            // A member below another may inherit the value of a placeholder from it.
            boolean mayInherit = member.below() != null;
            if (ready instanceof Outcome.Refused<AdvanceWaves.Start>(var refusal)
                    && !(mayInherit && refusal instanceof BlueprintRefusal.PlaceholderUnknown)) {
                return Outcome.refused(refusal);
            }
        }
        return Outcome.done(plan);
    }

    private static String anyOf(Set<String> names) {
        return names.stream()
                .limit(NAMED_MAX)
                .collect(Collectors.joining(", ", "the name of a member: ", ""));
    }

    private Outcome<WaveView> planned(WavePlan plan) {
        return Outcome.done(WaveViews.planned(report(plan)));
    }

    private Outcome<WaveView> added(WavePlan plan) {
        var parent = plan.wave().parent();
        if (parent != null && stored().countWaiting(parent) >= WAITING_MAX) {
            return Outcome.refused(
                    new RequestRefusal.TooMany("waves that wait below one session", WAITING_MAX));
        }
        stored().add(plan);
        ports.signals().raise(new Topic.WaveDue());
        return Outcome.done(WaveViews.whole(report(plan), Evidence.DECLARED));
    }

    private WaveReport report(WavePlan plan) {
        return new WaveReport(plan.wave(), plan.members(), List.of(), ports.clock().instant());
    }

    /** A caller that is confined to a session sees only the members that it may see. */
    private WaveReport report(Context x, Wave wave) {
        var members =
                stored().members(wave.id(), WaveCalls.MEMBERS_MAX).stream()
                        .filter(m ->
                                x.session() == null
                                        || waves.scope().access().sees(x.caller(), m.session()))
                        .toList();
        return new WaveReport(wave, stored().planned(wave), members, ports.clock().instant());
    }

    private Outcome<WaveCalls.Page> list(Context x, WaveCalls.Find in) {
        return ports.transactions()
                .read(() -> {
                    var named = waves.scope().visible(x, "session_id", in.sessionId());
                    var within = named == null ? x.session() : named;
                    var page = stored().list(within, Given.cursor(in.page()));
                    var views = new ArrayList<WaveView>();
                    if (named != null && in.page().after() == null) {
                        for (var report : derived(named)) {
                            views.add(WaveViews.brief(report, Evidence.INFERRED));
                        }
                    }
                    for (var wave : page.items()) {
                        views.add(WaveViews.brief(report(x, wave), Evidence.DECLARED));
                    }
                    return Outcome.done(new WaveCalls.Page(views, page.next()));
                });
    }

    private List<WaveReport> derived(SessionId parent) {
        var children = stored().loose(parent, WaveCalls.MEMBERS_MAX);
        return DerivedWaves.among(children, ports.clock().instant());
    }

    private Outcome<WaveView> read(Context x, WaveCalls.Await in) {
        return ports.transactions()
                .read(() ->
                        find(x, in.waveId())
                                .map(Outcome::done)
                                .orElseGet(() ->
                                        Outcome.refused(
                                                new SessionRefusal.WaveUnknown(in.waveId()))));
    }

    private Optional<WaveView> find(Context x, String id) {
        var first = DerivedWaves.firstMember(id);
        if (first.isPresent()) return inferred(x, first.get(), id);
        return stored().find(id)
                .filter(wave -> waves.isVisible(x, wave))
                .map(wave -> WaveViews.whole(report(x, wave), Evidence.DECLARED));
    }

    private Optional<WaveView> inferred(Context x, SessionId member, String id) {
        return ports.sessions()
                .find(member)
                .map(session -> session.place().parentId())
                .filter(parent -> waves.scope().access().sees(x.caller(), parent))
                .flatMap(parent ->
                        derived(parent).stream()
                                .filter(report -> report.wave().id().equals(id))
                                .findFirst())
                .map(report -> WaveViews.whole(report, Evidence.INFERRED));
    }

    private Optional<Wait> wait(Context x, WaveCalls.Await in) {
        if (in.patience().orZero().isZero()) return Optional.empty();
        return Optional.of(
                watch.until(
                        new Watch.Subject(
                                new Topic.JournalGrew(),
                                () -> isOver(x, in.waveId()),
                                () -> current(x, in.waveId()),
                                () -> current(x, in.waveId())),
                        in.patience().orZero()));
    }

    private boolean isOver(Context x, String id) {
        return ports.transactions()
                .read(() ->
                        DerivedWaves.firstMember(id).isEmpty()
                                ? !stored().isBusy(id)
                                : find(x, id)
                                        .filter(wave -> wave.state().equals("running"))
                                        .isEmpty());
    }

    private Object current(Context x, String id) {
        return ports.transactions().read(() -> find(x, id)).orElseThrow();
    }

    private Outcome<WaveView> stop(Context x, WaveCalls.Stop in) {
        var found =
                ports.transactions()
                        .write(() ->
                                stored().find(in.waveId())
                                        .filter(wave -> waves.isVisible(x, wave))
                                        .map(wave -> {
                                            advanceWaves.cancel(wave, in.reason());
                                            return wave;
                                        }));
        if (found.isEmpty()) return Outcome.refused(new SessionRefusal.WaveUnknown(in.waveId()));
        var wave = found.get();
        var members =
                ports.transactions().read(() -> stored().members(wave.id(), MEMBERS_STOPPED_MAX));
        var order = new TreeStop.Order(in.deadline().value(), in.reason());
        for (var member : members) {
            if (member.progress() != WaveMember.Progress.BUSY) continue;
            // Ignores refusals: the caller may not act on all sessions that joined the wave, and a
            // member that has ended or was removed since needs no stop.
            var id = member.session().value();
            ports.transactions()
                    .write(() ->
                            waves.scope()
                                    .session(x, Need.ACT, id)
                                    .then(s -> stopTree.stop(ports, s.id(), order)));
        }
        var after = ports.transactions().read(() -> report(x, wave));
        return Outcome.done(WaveViews.whole(after, Evidence.DECLARED));
    }
}
