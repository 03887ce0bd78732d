package dev.coppice.operations.fleet;

import dev.coppice.access.Need;
import dev.coppice.fleet.Runners;
import dev.coppice.fleet.WatchProcesses;
import dev.coppice.fleet.WatchProcesses.Found;
import dev.coppice.kernel.Ids;
import dev.coppice.kernel.JsonText;
import dev.coppice.kernel.Outcome;
import dev.coppice.kernel.RunnerId;
import dev.coppice.kernel.SessionId;
import dev.coppice.kernel.SessionRefusal;
import dev.coppice.observe.Observation;
import dev.coppice.observe.Observation.Moment;
import dev.coppice.observe.RecordObservations;
import dev.coppice.operations.Directories;
import dev.coppice.operations.Given;
import dev.coppice.operations.Scope;
import dev.coppice.outside.OutsideProcess;
import dev.coppice.outside.OutsideProcess.Consent;
import dev.coppice.request.Context;
import dev.coppice.request.Operation;
import dev.coppice.request.Operation.Commit;
import dev.coppice.request.Wait;
import dev.coppice.run.Ports;
import dev.coppice.session.Session;
import dev.coppice.usage.NoticedTranscript;
import dev.coppice.view.Views;
import dev.coppice.wire.Json;
import dev.coppice.wire.Shape;
import dev.coppice.wire.fleet.ProcessCalls;
import dev.coppice.wire.fleet.ProcessCalls.Adopt;
import dev.coppice.wire.fleet.ProcessCalls.Adopted;
import dev.coppice.wire.fleet.ProcessCalls.Order;
import dev.coppice.wire.fleet.ProcessCalls.ProcessView;
import dev.coppice.wire.fleet.ProcessCalls.Watched;
import dev.coppice.wire.observe.HookCalls.Program;

import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;

/** Adopts running agent programs into trees, and has runners watch their processes. */
public record ProcessOperations(
        Scope scope,
        Ports ports,
        RecordObservations observe,
        Runners runners,
        WatchProcesses processes,
        Directories directories,
        NoticedTranscript transcripts,
        Ids ids) {
    private static final String EVENT = "Adopted";

    public List<Operation<?, ?>> all() {
        return List.of(
                Operation.of(ProcessCalls.LIST, Need.READ, this::list),
                Operation.changing(
                                ProcessCalls.ADOPT, Need.DECIDE, scope.transactions(), this::adopt)
                        .then(this::transcribed),
                Operation.of(ProcessCalls.REPORT, Need.RUN, (_, in) -> report(in)));
    }

    private Outcome<ProcessCalls.Page> list(Context x, ProcessCalls.Find in) {
        return scope.transactions()
                .read(() -> {
                    var named = scope.visible(x, "session_id", in.sessionId());
                    var within = named == null ? x.session() : named;
                    var page = ports.outside().list(within, Given.cursor(in.page()));
                    var views = page.items().stream().map(this::view).toList();
                    return Outcome.done(new ProcessCalls.Page(views, page.next()));
                });
    }

    private ProcessView view(OutsideProcess process) {
        var session = scope.sessions().find(process.session());
        return view(process, session.map(Session::name).orElse(""));
    }

    private static ProcessView view(OutsideProcess process, String name) {
        return new ProcessView(
                process.session().value(),
                name,
                process.host(),
                process.pid(),
                process.program(),
                process.start(),
                process.mayStop(),
                Views.text(process.endBy()));
    }

    private Outcome<Commit<Adopted>> adopt(Context x, Adopt in) {
        var directory = in.projectDir();
        if (!Directories.isUsable(directory)) {
            throw Given.bad("project_dir", directory, Directories.RULE);
        }
        var process = process(in);
        return Outcome.done(() -> session(x, in, process).then(_ -> adopted(process, directory)));
    }

    /** Has the transcript read from now on, outside of every transaction. */
    private Optional<Wait> transcribed(Context x, Adopt in, Adopted adopted) {
        var transcript = in.transcriptPath();
        if (transcript != null) {
            var session = new SessionId(adopted.session().sessionId());
            transcripts.noticed(session, null, transcript);
        }
        return Optional.empty();
    }

    private OutsideProcess process(Adopt in) {
        var program = Shape.word(in.program());
        var id = in.sessionId();
        if (id == null) {
            id = "%s-%d-%s".formatted(program, in.pid(), ids.twelveHex());
        }
        return new OutsideProcess(
                Objects.requireNonNull(Given.sessionId("session_id", id)),
                in.hostname() == null ? directories.host() : in.hostname(),
                in.pid(),
                in.start(),
                program,
                in.mayStop() ? Consent.STOP : Consent.WATCH,
                null);
    }

    /** Records the adoption in the session, which is created if it is unknown. */
    private Outcome<SessionId> session(Context x, Adopt in, OutsideProcess process) {
        var id = process.session();
        if (ports.runs().latestOf(id).isPresent()) {
            return Outcome.refused(
                    new SessionRefusal.StateForbids(
                            "Session '%s'".formatted(id), "run by Coppice", "an adoption"));
        }
        if (!directories.lookAfter().hasRunner(process.host())) {
            throw Given.bad("hostname", process.host(), "the host of a registered runner");
        }
        var above = Given.parent(in.parentSessionId(), in.parentSessionName());
        var parent = above.in(scope.sessions()).map(Session::id).orElse(null);
        if (above.isMade()) {
            var forbidden = scope.parentForbidden(x, above);
            if (forbidden.isPresent()) return Outcome.refused(forbidden.get());
            if (parent == null) {
                return Outcome.refused(new SessionRefusal.ParentUnknown(above.asSaid()));
            }
        }
        // A new session is idle until its program reports work by hooks or telemetry.
        var moment = scope.sessions().find(id).isPresent() ? Moment.NONE : Moment.WAITS;
        var event = event(in, process, parent, moment);
        return observe.record(List.of(event), x.caller()).getFirst().map(_ -> id);
    }

    /** The event of an adoption, in the form of those that programs send. */
    private record Message(
            String sourceApp, String sessionId, String hookEventType, Told payload) {}

    private record Told(String program, long pid, String hostname, String cwd, boolean mayStop) {}

    private Observation event(
            Adopt in, OutsideProcess process, @Nullable SessionId parent, Moment moment) {
        var name = String.valueOf(Path.of(in.projectDir()).getFileName());
        var app = name.equals("null") ? process.program() : name;
        var told =
                new Told(
                        process.program(),
                        process.pid(),
                        process.host(),
                        in.projectDir(),
                        process.mayStop());
        var text = Json.write(new Message(app, process.session().value(), EVENT, told));
        return new Observation(
                process.session(),
                null,
                EVENT,
                ports.clock().instant(),
                new Observation.Message(
                        new JsonText(text), text.getBytes(StandardCharsets.UTF_8).length),
                new Observation.Hints(app, null, null, parent, null, moment));
    }

    private Outcome<Adopted> adopted(OutsideProcess process, String directory) {
        directories.observed(process.session(), process.host(), directory);
        var session = scope.sessions().find(process.session()).orElseThrow();
        return processes
                .adopt(process)
                .map(now -> new Adopted(Views.session(session), view(now, session.name())));
    }

    private Outcome<Watched> report(ProcessCalls.Reports in) {
        var found =
                in.processes().stream()
                        .map(one ->
                                new Found(
                                        Given.sessionId("session_id", one.sessionId()),
                                        one.pid(),
                                        one.start()))
                        .toList();
        var id = new RunnerId(in.runnerId());
        var runner = scope.transactions().read(() -> runners.find(id));
        if (runner.isEmpty()) return Outcome.done(new Watched(List.of()));
        var at = runner.get().post().hostname();
        if (!found.isEmpty()) {
            scope.transactions()
                    .write(() -> {
                        processes.found(at, found);
                        return at;
                    });
        }
        return scope.transactions().read(() -> Outcome.done(watched(at)));
    }

    private Watched watched(String at) {
        return new Watched(
                ports.outside().on(at, WatchProcesses.ON_HOST_MAX).stream()
                        .map(this::order)
                        .toList());
    }

    private Order order(OutsideProcess process) {
        // A runner compares the directory only to confirm a claim.
        boolean isClaim = process.start() == null;
        var session =
                isClaim ? scope.sessions().find(process.session()) : Optional.<Session>empty();
        var left = processes.endsWithin(process);
        return new Order(
                process.session().value(),
                process.pid(),
                process.start(),
                Program.valueOf(process.program().toUpperCase(Locale.ROOT)),
                session.map(s -> s.profile().projectDir()).orElse(null),
                left == null ? null : left.toMillis());
    }
}
