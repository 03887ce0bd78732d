package dev.coppice.web;

import dev.coppice.access.Caller;
import dev.coppice.kernel.Rejected;
import dev.coppice.request.Reply;
import dev.coppice.wire.Code;
import dev.coppice.wire.Method;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;

/**
 * Passes requests to routes as a port does, without a port: tokens, roles, paths, bodies and keys
 * count. An exception of a route that is no refusal leaves the door.
 */
public final class Door {
    private final Dispatcher dispatcher;
    private final Authentication authentication;
    private final RequestMemory memory = RequestMemory.ofThisProcess();

    public Door(List<Route> routes, RoleCheck roles, Authentication authentication) {
        this.dispatcher = new Dispatcher(new Router(routes), roles);
        this.authentication = authentication;
    }

    /** A request, with the caller's token. */
    public record Request(
            String token, Method method, String path, Map<String, String> headers, String body) {
        public Request {
            headers = Map.copyOf(headers);
        }
    }

    public Reply pass(Request request) {
        var caller = authentication.caller(request.token());
        return caller.isPresent()
                ? pass(caller.get(), request)
                : Problems.reply(Code.TOKEN_MISSING, "No valid token came");
    }

    private Reply pass(Caller caller, Request request) {
        var path = Dispatcher.segments(request.path());
        var found = dispatcher.find(request.method().name(), path);
        if (found.isEmpty()) {
            return dispatcher.unknown(request.method().name(), request.path(), path);
        }
        try (var hold = memory.of(caller, found.get().route().need())) {
            var read =
                    new Exchange.Request(
                            request.method(),
                            request.path(),
                            Map.of(),
                            request.headers(),
                            request.body(),
                            null);
            return dispatcher.pass(caller, found.get(), new Dispatcher.Unread(() -> read, hold));
        } catch (Rejected e) {
            return Problems.reply(e.refusal());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
