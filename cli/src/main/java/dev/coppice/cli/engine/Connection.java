package dev.coppice.cli.engine;

import dev.coppice.client.Answer;
import dev.coppice.client.CoppiceClient;
import dev.coppice.client.OwnerOnly;
import dev.coppice.client.Refused;
import dev.coppice.client.Trust;
import dev.coppice.wire.Call;
import dev.coppice.wire.Json;
import dev.coppice.wire.Paging;
import dev.coppice.wire.Patience;
import dev.coppice.wire.Problem;
import dev.coppice.wire.Sizes;
import dev.coppice.wire.fleet.FleetCalls;
import dev.coppice.wire.fleet.FleetCalls.RunnerView;
import dev.coppice.wire.removal.MemberView;
import dev.coppice.wire.removal.RemovalCalls;
import dev.coppice.wire.removal.RemovalView;
import dev.coppice.wire.session.SessionCalls;
import dev.coppice.wire.session.SessionView;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * A connection to the coordinator. Address and token come from the environment, else from the data
 * directory; with --data always from that directory.
 */
public final class Connection {
    /** The longest wait for the end of a removal. */
    public static final Patience PATIENCE = Patience.of(Duration.ofHours(1));

    /** The newest sessions, among which a mistyped name is looked for. */
    private static final Paging NEAR = new Paging(null, Sizes.PAGE_ITEMS_MAX);

    private static final Paging FEW = new Paging(null, 8);

    /** The certificates to accept, in the directory with the address and the token. */
    public static final String CERTIFICATES = "ca.pem";

    private static final int PORT_MAX = 65_535;
    private static final Duration SILENCE_MAX = Duration.ofHours(2);
    private final CoppiceClient client;
    private final boolean isByPerson;

    private Connection(CoppiceClient client, Console console) {
        var surroundings = new LinkedHashMap<String, String>();
        inherit(console, "AGENT_SESSION_ID", "X-Agent-Session-Id", surroundings);
        inherit(console, "AGENT_SESSION_NAME", "X-Agent-Session-Name", surroundings);
        this.client = client.with(surroundings);
        this.isByPerson = console.canAsk();
    }

    public static Connection open(Args args, Console console) {
        var place = CoordinatorPlace.of(args, console);
        var url = place.isAlone() ? null : console.env("COPPICE_URL");
        var token = place.isAlone() ? null : console.env("COPPICE_TOKEN");
        var certificates = certificates(place, url, console);
        if (url == null) url = content(place.directory().resolve("url"));
        if (token == null) token = content(place.directory().resolve("token"));
        var client =
                new CoppiceClient(
                        address(url == null ? "http://127.0.0.1:8765" : url),
                        token(token == null ? "none" : token.strip()));
        return new Connection(client.trusting(Trust.in(certificates)), console);
    }

    /** The file with the certificates to accept; null for those that this machine accepts. */
    private static @Nullable Path certificates(
            CoordinatorPlace place, @Nullable String url, Console console) {
        if (url != null) {
            var set = console.env("COPPICE_CA");
            return set == null ? null : Path.of(set);
        }
        var beside = place.directory().resolve(CERTIFICATES);
        return Files.exists(beside) ? beside : null;
    }

    /** Asks a coordinator for the certificate with this fingerprint, in PEM. */
    public static String certificate(URI url, String fingerprint) {
        try {
            return Trust.fetch(url, fingerprint);
        } catch (IOException e) {
            throw new Args.Invalid("no certificate from %s: %s".formatted(url, e.getMessage()));
        }
    }

    /** Checks a token here: the error of an invalid header would print it. */
    private static String token(String text) {
        if (text.chars().allMatch(c -> c > ' ' && c < 127)) return text;
        throw new Args.Invalid("COPPICE_TOKEN holds characters that no token has");
    }

    /** Parses the address of a coordinator; throws if it is invalid. */
    public static URI address(String text) {
        try {
            var url = URI.create(text);
            boolean isHttp = "http".equals(url.getScheme()) || "https".equals(url.getScheme());
            if (isHttp && url.getHost() != null && url.getPort() <= PORT_MAX) return url;
        } catch (IllegalArgumentException _) {
            // Reported below, like addresses without a host.
        }
        throw new Args.Invalid(
                "COPPICE_URL is '%s'; it must be an address such as http://127.0.0.1:8765"
                        .formatted(text));
    }

    private static @Nullable String content(Path file) {
        try {
            return Files.isReadable(file) ? Files.readString(file).strip() : null;
        } catch (IOException e) {
            throw new UncheckedIOException("reading " + file, e);
        }
    }

    private static void inherit(
            Console console, String variable, String header, Map<String, String> headers) {
        var value = console.env(variable);
        if (value != null) headers.put(header, value);
    }

    public CoppiceClient client() {
        return client;
    }

    /** Makes a call; throws {@link Refused} if the coordinator refuses it. */
    public <I extends Record, O> Answer<O> ask(Call<I, O> call, I input) {
        return good(client.call(call, input));
    }

    public <I extends Record, O> O call(Call<I, O> call, I input) {
        return ask(call, input).value();
    }

    /** Makes a call that may take hours before it answers. */
    public <I extends Record, O> O callPatiently(Call<I, O> call, I input) {
        return good(client.patient(SILENCE_MAX).call(call, input)).value();
    }

    private static <O> Answer<O> good(Answer<O> answer) {
        if (!answer.isGood()) throw new Refused(answer.problem());
        return answer;
    }

    /** All items of a paged list. */
    public <I extends Record, P, T> List<T> pages(
            Call<I, P> call,
            Function<Paging, I> input,
            Function<P, List<T>> items,
            Function<P, @Nullable String> next) {
        var all = new ArrayList<T>();
        String after = null;
        do {
            var page = call(call, input.apply(Paging.after(after)));
            all.addAll(items.apply(page));
            after = next.apply(page);
        } while (after != null);
        return all;
    }

    public List<SessionView> sessions(@Nullable List<String> states) {
        return pages(
                SessionCalls.LIST,
                page -> SessionCalls.Find.of(states, page),
                SessionCalls.Page::sessions,
                SessionCalls.Page::next);
    }

    public List<RunnerView> runners() {
        return pages(
                FleetCalls.LIST,
                FleetCalls.Find::new,
                FleetCalls.Page::runners,
                FleetCalls.Page::next);
    }

    public <I extends Record> void download(Call<I, Call.Bytes> call, I input, Path to) {
        var part = to.resolveSibling(to.getFileName() + ".part");
        try {
            OwnerOnly.create(part);
            try (var out = Files.newOutputStream(part)) {
                client.download(call, input, out);
            }
            Files.move(part, to, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new UncheckedIOException("writing " + to, e);
        } finally {
            deleteIfLeft(part);
        }
    }

    private static void deleteIfLeft(Path part) {
        try {
            Files.deleteIfExists(part);
        } catch (IOException e) {
            throw new UncheckedIOException("deleting " + part, e);
        }
    }

    /**
     * The id of a removal, given by id or by the name of its session. Of several removals with that
     * name, returns the latest wanted one; if none is wanted, the latest one, so that the
     * coordinator can say why it does not fit.
     */
    public String removal(String nameOrId, Predicate<RemovalView> wanted) {
        if (nameOrId.startsWith("rem_")) return nameOrId;
        String latest = null;
        var removals =
                pages(
                        RemovalCalls.LIST,
                        RemovalCalls.Paged::new,
                        RemovalCalls.Page::removals,
                        RemovalCalls.Page::next);
        for (var removal : removals) {
            if (!nameOrId.equals(removal.sessionName())) continue;
            if (wanted.test(removal)) return removal.removalId();
            if (latest == null) latest = removal.removalId();
        }
        return latest == null ? nameOrId : latest;
    }

    /** A removed session: its removal, id and name. */
    public record Gone(String removal, String id, String name) {}

    /** The removed session with this name or id; null if none was removed. */
    public @Nullable Gone gone(String name) {
        var answers =
                List.of(
                        client.call(SessionCalls.NAMED, new SessionCalls.Named(name)),
                        client.call(SessionCalls.READ, new SessionCalls.At(name)));
        for (var answer : answers) {
            if (answer.status() != 410) continue;
            var detail = Json.as(answer.problem().detailOrEmpty(), Problem.RemovedDetail.class);
            var removal = detail.removalId();
            for (var member : members(removal)) {
                boolean same = name.equals(member.sessionId()) || name.equals(member.sessionName());
                if (same) return new Gone(removal, member.sessionId(), member.sessionName());
            }
        }
        return null;
    }

    private List<MemberView> members(String removal) {
        return pages(
                RemovalCalls.MEMBERS,
                page -> new RemovalCalls.Within(removal, page),
                RemovalCalls.Members::sessions,
                RemovalCalls.Members::next);
    }

    /** Finds a session by its name, else by its id. */
    public SessionView session(String nameOrId) {
        var named = client.call(SessionCalls.NAMED, new SessionCalls.Named(nameOrId));
        if (named.isGood()) return named.value().session();
        if (named.status() != 404) throw new Refused(named.problem());
        var found = client.call(SessionCalls.READ, new SessionCalls.At(nameOrId));
        if (found.status() != 404) return good(found).value().session();
        var begun = beginningWith(nameOrId);
        var meant = meant(begun);
        if (meant != null) return meant;
        throw new Misnamed(found.problem(), begun.isEmpty() ? offer(nameOrId) : several(begun));
    }

    /** The sessions whose names or ids begin so, at most a few. */
    private List<SessionView> beginningWith(String text) {
        if (!text.matches("[A-Za-z0-9_.-]{1,60}")) return List.of();
        var found = client.call(SessionCalls.LIST, SessionCalls.Find.beginning(text, FEW));
        if (!found.isGood()) return List.of();
        // An older coordinator does not know this filter, and lists all.
        return found.value().sessions().stream()
                .filter(s -> s.sessionName().startsWith(text) || s.sessionId().startsWith(text))
                .toList();
    }

    /**
     * The one session that is meant by a beginning. Only a person may shorten a name: what a script
     * names may be gone, and another one may begin so.
     */
    private @Nullable SessionView meant(List<SessionView> begun) {
        if (!isByPerson || begun.size() == FEW.limit()) return null;
        // Sessions that had a name before have its beginning, too, and are seldom meant.
        var now = begun.stream().filter(s -> s.sessionName().indexOf('~') < 0).toList();
        if (now.size() == 1) return now.getFirst();
        return begun.size() == 1 ? begun.getFirst() : null;
    }

    private static String several(List<SessionView> found) {
        var names = found.stream().map(s -> s.sessionName() + " (" + s.sessionId() + ")").toList();
        return names.size() == 1
                ? "A script must give the whole name: %s.".formatted(Shown.names(names))
                : "Several begin so: %s.".formatted(Shown.names(names));
    }

    /** No session has this name or id; others have names that are near it. */
    public static final class Misnamed extends Refused {
        private static final long serialVersionUID = 1;
        private final String offer;

        Misnamed(Problem problem, String offer) {
            super(problem);
            this.offer = offer;
        }

        /** A question that offers the near names; empty if there are none. */
        public String offer() {
            return offer;
        }
    }

    private String offer(String typed) {
        var find = SessionCalls.Find.of(null, NEAR);
        var names =
                call(SessionCalls.LIST, find).sessions().stream()
                        .map(SessionView::sessionName)
                        .toList();
        return Near.offer(typed, names);
    }

    public String id(String nameOrId) {
        return session(nameOrId).sessionId();
    }
}
