package dev.coppice.web;

import dev.coppice.access.Caller;
import dev.coppice.kernel.Busy;
import dev.coppice.kernel.CannotWrite;
import dev.coppice.kernel.Refusal;
import dev.coppice.kernel.Rejected;
import dev.coppice.kernel.RequestRefusal;
import dev.coppice.request.Reply;
import dev.coppice.wire.Code;
import dev.coppice.wire.Json;
import dev.coppice.wire.Method;
import dev.coppice.wire.Reason;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Passes requests to their routes if the caller's role may use them, and turns exceptions into
 * problem bodies.
 */
public final class Dispatcher {
    private static final System.Logger LOG = System.getLogger("web");
    private final Router router;
    private final RoleCheck roles;

    public Dispatcher(Router router, RoleCheck roles) {
        this.router = router;
        this.roles = roles;
    }

    /** Makes the answer, or fails. */
    interface Attempt {
        Reply reply() throws IOException;
    }

    /** A request whose body is read only after the role check, and its memory. */
    record Unread(Reader reader, RequestMemory.Hold hold) {
        interface Reader {
            Exchange.Request read() throws IOException;
        }
    }

    Optional<Router.Found> find(String method, List<String> path) {
        for (var known : Method.values())
            if (known.name().equals(method)) return router.find(known, path);
        return Optional.empty();
    }

    Reply pass(Caller caller, Router.Found found, Unread request) throws IOException {
        var route = found.route();
        var forbidden = roles.forbids(caller, route.call(), route.need());
        if (forbidden.isPresent()) return Problems.reply(forbidden.get());
        var exchange =
                new Exchange(request.reader().read(), caller, found.values(), request.hold());
        try {
            return route.action().on(exchange);
        } catch (Rejected e) {
            return Problems.reply(e.refusal(), exchange.manner(route.call()), route.call());
        }
    }

    Reply unknown(String method, String shown, List<String> path) {
        var methods = router.methods(path);
        if (methods.isEmpty()) return Problems.nothingAt(shown);
        var offered = Refusal.quoted(methods.stream().map(Method::name).toList());
        return Problems.reply(
                Code.METHOD_NOT_OFFERED,
                "'%s' is not offered here, but %s".formatted(method, offered));
    }

    static Reply answering(String request, Attempt attempt) {
        try {
            return attempt.reply();
        } catch (Rejected e) {
            return Problems.reply(e.refusal());
        } catch (Json.Unreadable e) {
            var found = String.valueOf(e.getMessage());
            return Problems.reply(
                    new RequestRefusal.BadValue("body", found, "JSON of the documented shape"));
        } catch (Busy e) {
            return Problems.reply(
                    Code.NOT_DONE, "The request could not be carried out: " + e.getMessage());
        } catch (CannotWrite e) {
            return Problems.reply(
                    Code.STORE_UNWRITABLE, "The coordinator cannot write: " + e.getMessage());
        } catch (UncheckedIOException | IOException e) {
            LOG.log(System.Logger.Level.ERROR, "cannot answer " + request, e);
            return Problems.reply(
                    Code.NOT_DONE, "The request could not be carried out: " + Reason.of(e));
        } catch (RuntimeException e) {
            LOG.log(System.Logger.Level.ERROR, "cannot answer " + request, e);
            return Problems.reply(
                    Code.NOT_DONE,
                    "The request could not be carried out; nothing was changed by it");
        }
    }

    static List<String> segments(@Nullable String path) {
        if (path == null || path.length() < 2) return List.of("");
        try {
            return Stream.of(path.substring(1).split("/", -1))
                    .map(s -> URLDecoder.decode(s.replace("+", "%2B"), StandardCharsets.UTF_8))
                    .collect(Collectors.toUnmodifiableList());
        } catch (IllegalArgumentException _) {
            var shown = Credentials.masked(path);
            throw new Rejected(new RequestRefusal.BadValue("path", shown, "percent-encoded UTF-8"));
        }
    }
}
