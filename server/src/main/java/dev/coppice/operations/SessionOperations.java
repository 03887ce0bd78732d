package dev.coppice.operations;

import dev.coppice.access.Need;
import dev.coppice.health.OpenQuestion;
import dev.coppice.kernel.Outcome;
import dev.coppice.kernel.Refusal;
import dev.coppice.kernel.SessionId;
import dev.coppice.request.Context;
import dev.coppice.request.Operation;
import dev.coppice.request.Operation.Commit;
import dev.coppice.run.Ports;
import dev.coppice.run.Ports.BudgetCheck;
import dev.coppice.session.AttachRoot;
import dev.coppice.session.NewSession;
import dev.coppice.session.Profile;
import dev.coppice.session.Session;
import dev.coppice.session.SessionFilter;
import dev.coppice.session.StartSession;
import dev.coppice.session.StateWord;
import dev.coppice.view.Headlines;
import dev.coppice.view.Questions;
import dev.coppice.view.Views;
import dev.coppice.view.Words;
import dev.coppice.wire.session.SessionBody;
import dev.coppice.wire.session.SessionCalls;
import dev.coppice.wire.session.SessionView;
import dev.coppice.wire.session.StartSessionRequest;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Lists and reads sessions, and creates one without a run. */
public final class SessionOperations {

    private final Scope scope;
    private final StartSession start;
    private final AttachRoot attaching;
    private final Directories directories;
    private final ExplainChildren explaining;
    private final Headlines headlines;
    private final Ports ports;

    public SessionOperations(
            Scope scope,
            StartSession start,
            AttachRoot attaching,
            Directories directories,
            ExplainChildren explaining,
            Headlines headlines,
            Ports ports) {
        this.directories = directories;
        this.explaining = explaining;
        this.scope = scope;
        this.start = start;
        this.attaching = attaching;
        this.headlines = headlines;
        this.ports = ports;
    }

    public List<Operation<?, ?>> all() {
        return List.of(
                Operation.of(SessionCalls.LIST, Need.READ, this::list),
                Operation.of(SessionCalls.ORPHANS, Need.READ, this::orphans),
                Operation.changing(
                        SessionCalls.CREATE, Need.SPAWN, scope.transactions(), this::create),
                finding(),
                Operation.of(
                        SessionCalls.READ,
                        Need.READ,
                        (x, in) -> scope.showing(x, in.sessionId(), SessionOperations::body)),
                Operation.changing(
                        SessionCalls.ATTACH, Need.ACT, scope.transactions(), this::attach),
                Operation.of(SessionCalls.STATUS, Need.READ, this::status));
    }

    /** Finds a session by its name; MCP tools accept names in place of ids. */
    public Operation<SessionCalls.Named, SessionBody> finding() {
        return Operation.of(SessionCalls.NAMED, Need.READ, this::named);
    }

    private Outcome<Commit<SessionBody.Done>> attach(Context x, SessionCalls.Attach in) {
        return scope.change(
                x,
                Need.ACT,
                in.sessionId(),
                root ->
                        scope.session(x, Need.ACT, in.parentSessionId())
                                .then(parent -> attaching.attach(root, parent))
                                .map(s -> {
                                    explaining.asked(x, s, null);
                                    return new SessionBody.Done(true, Views.session(s));
                                }));
    }

    private static SessionBody body(Session session) {
        return new SessionBody(Views.session(session));
    }

    private Outcome<SessionCalls.Page> list(Context x, SessionCalls.Find in) {
        return scope.transactions()
                .read(() -> {
                    if (List.of(SessionCalls.Find.ASKING).equals(in.status())) {
                        return Outcome.done(new SessionCalls.Page(asking(x, in), null));
                    }
                    var page =
                            scope.sessions()
                                    .list(
                                            filter(x, in, states(in.status())),
                                            Given.cursor(in.page()));
                    var sessions =
                            in.headlines()
                                    ? withHeadlines(x, page.items())
                                    : page.items().stream().map(Views::session).toList();
                    return Outcome.done(new SessionCalls.Page(sessions, page.next()));
                });
    }

    /** Finds the questions once: looking for one looks at all live sessions. */
    private List<SessionView> withHeadlines(Context x, List<Session> sessions) {
        var questions = new HashMap<SessionId, OpenQuestion>();
        if (sessions.stream().anyMatch(s -> s.state().isAlive())) {
            headlines.healths().questions(x.session()).forEach(q -> questions.put(q.session(), q));
        }
        var views = new ArrayList<SessionView>();
        for (var session : sessions) {
            var question = questions.get(session.id());
            var asked = question == null ? null : Questions.of(question);
            views.add(Views.session(session, headlines.of(session, asked)));
        }
        return views;
    }

    /** The sessions that wait for a person, the longest first. */
    private List<SessionView> asking(Context x, SessionCalls.Find in) {
        var filter = filter(x, in, Set.of());
        var within = filter.within() == null ? filter.parent() : filter.within();
        var views = new ArrayList<SessionView>();
        for (var question : headlines.healths().questions(within)) {
            var session = scope.seen(x, question.session()).orElse(null);
            if (session == null || !filter.isMetBy(session)) continue;
            if (views.size() == in.page().limit()) break;
            views.add(Views.session(session, headlines.of(session, Questions.of(question))));
        }
        return views;
    }

    private Outcome<SessionCalls.Page> orphans(Context x, SessionCalls.Orphans in) {
        var filter =
                new SessionFilter(Set.copyOf(StateWord.ALIVE), null, null, null, x.session())
                        .orphans();
        return scope.transactions()
                .read(() -> {
                    var page = scope.sessions().list(filter, Given.cursor(in.page()));
                    var sessions = page.items().stream().map(Views::session).toList();
                    return Outcome.done(new SessionCalls.Page(sessions, page.next()));
                });
    }

    private SessionFilter filter(Context x, SessionCalls.Find in, Set<String> states) {
        var root = scope.visible(x, "root", in.root());
        var parent = scope.visible(x, "parent", in.parent());
        var filter =
                new SessionFilter(states, in.type(), Given.sessionName(in.name()), parent, root)
                        .named(in.text())
                        .marked(marks(in));
        var own = x.session();
        return own == null || root != null || parent != null ? filter : filter.within(own);
    }

    private static SessionFilter.Marks marks(SessionCalls.Find in) {
        return new SessionFilter.Marks(
                in.beginning(), in.agentName(), in.hostname(), Given.time("since", in.since()));
    }

    private static Set<String> states(@Nullable List<String> asked) {
        var states = new LinkedHashSet<String>();
        for (var word : asked == null ? List.<String>of() : asked) {
            var meant = Words.sessionStates(word, StateWord.ALL);
            if (meant.isEmpty()) {
                var rule = "asking alone, or some of " + String.join(", ", StateWord.ALL);
                throw Given.bad("status", word, rule);
            }
            states.addAll(meant);
        }
        return states;
    }

    private Outcome<Commit<SessionBody.Done>> create(Context x, StartSessionRequest in) {
        var newcomer =
                new NewSession(
                        Given.sessionId(in.sessionId()),
                        Given.sessionName(in.sessionName()),
                        in.sessionType(),
                        Given.parent(in.parentSessionId(), in.parentSessionName())
                                .orElse(x.inherited()),
                        new Profile(
                                in.projectDir(),
                                in.agentName(),
                                in.sourceApp(),
                                Given.object(in.metadata()),
                                Profile.Binding.NONE),
                        Given.limits(in.limits()),
                        in.onParentEnd());
        return Outcome.done(() -> created(x, newcomer, in.hostname()));
    }

    private Outcome<SessionBody.Done> created(
            Context x, NewSession newcomer, @Nullable String host) {
        var forbidden = scope.parentForbidden(x, newcomer.parent());
        if (forbidden.isPresent()) return Outcome.refused(forbidden.get());
        var spent =
                newcomer.parent()
                        .in(scope.sessions())
                        .<Refusal>flatMap(p ->
                                ports.budgetCheck()
                                        .forbids(ports, p.id(), BudgetCheck.NewWork.SESSION));
        if (spent.isPresent()) return Outcome.refused(spent.get());
        return start.start(newcomer)
                .map(s -> {
                    explaining.asked(x, s, null);
                    var directory = s.profile().projectDir();
                    if (!x.caller().isAgent()) directories.declared(s.id(), host, directory);
                    return new SessionBody.Done(true, Views.session(s));
                });
    }

    private Outcome<SessionBody> named(Context x, SessionCalls.Named in) {
        return scope.transactions()
                .read(() ->
                        scope.named(x, in.name())
                                .map(s -> Outcome.done(body(s)))
                                .orElseGet(() ->
                                        Outcome.refused(
                                                scope.access().noneNamed(x.caller(), in.name()))));
    }

    private Outcome<SessionCalls.Status> status(Context x, SessionCalls.At in) {
        var found = scope.lookedUp(x, Need.READ, in.sessionId());
        return Outcome.done(
                new SessionCalls.Status(
                        switch (found) {
                            case Outcome.Done<Session>(var session) ->
                                    Words.ofSession(StateWord.of(session.state()));
                            case Outcome.Refused<Session> _ -> "not_existent";
                        }));
    }
}
