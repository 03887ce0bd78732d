package dev.coppice.web;

import dev.coppice.access.Access;
import dev.coppice.access.Caller;
import dev.coppice.access.Need;
import dev.coppice.kernel.Bounds;
import dev.coppice.kernel.OnBehalf;
import dev.coppice.kernel.Rejected;
import dev.coppice.kernel.RequestRefusal;
import dev.coppice.request.Reply;
import dev.coppice.request.Wait;
import dev.coppice.thread.Loops;
import dev.coppice.wire.Code;
import dev.coppice.wire.Json;
import dev.coppice.wire.Method;
import dev.coppice.wire.Shape;

import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Duration;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** Receives every request: checks origin and token, finds the route, and sends the answer. */
public final class RequestPipeline extends Handler.Abstract {
    /** An answer is data: it loads nothing, and no page may frame it or pass its address on. */
    private static final Map<String, String> ANSWERS =
            Map.of(
                    "Cache-Control", "no-store",
                    "Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'",
                    "Referrer-Policy", "no-referrer",
                    "X-Content-Type-Options", "nosniff");

    private static final int READ_OUT_BYTES_MAX = 256 * 1024;
    private static final int PIECE_BYTES = 64 * 1024;
    private static final Duration WRITE_MAX = Duration.ofSeconds(60);
    private static final Reply NO_SOCKET =
            Problems.reply(Code.WEBSOCKET_ONLY, "This path is a WebSocket");

    private static final System.Logger LOG = System.getLogger("web");
    private static final String TURN = "coppice.turn";

    /** The header in which hooks send the token of the run that they belong to. */
    private static final String AGENT_TOKEN = "X-Agent-Token";

    private final Doorway doorway;
    private final Dispatcher dispatcher;
    private final Authentication authentication;
    private final OriginCheck originCheck;
    private final Cors cors;
    private final WebSockets webSockets = new WebSockets(WRITE_MAX);
    private final RequestLimit requestLimit = RequestLimit.ofRequests();
    private final Waits waits = new Waits();
    private final RequestMemory memory;
    private final WriteDeadline deadline;

    public RequestPipeline(
            Doorway doorway, Authentication authentication, RequestMemory memory, Loops loops) {
        this(doorway, authentication, memory, new WriteDeadline(WRITE_MAX, loops));
    }

    RequestPipeline(
            Doorway doorway,
            Authentication authentication,
            RequestMemory memory,
            WriteDeadline deadline) {
        this.memory = memory;
        this.deadline = deadline;
        this.doorway = doorway;
        this.dispatcher = doorway.dispatcher();
        this.authentication = authentication;
        this.originCheck = doorway.origins();
        this.cors = doorway.cors();
    }

    @Override
    protected void doStart() throws Exception {
        super.doStart();
        deadline.start();
    }

    @Override
    protected void doStop() throws Exception {
        deadline.close();
        webSockets.close();
        super.doStop();
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        // The turn ends when the reader has the last byte, or is gone.
        var done =
                new Callback.Nested(callback) {
                    @Override
                    public void completed() {
                        leave(request);
                    }
                };
        try {
            cors.allow(request.getHeaders(), response.getHeaders());
            var reply = answer(request);
            if (isLong(reply)) leave(request);
            if (reply.status() >= 400) readOut(request);
            OnBehalf.run(caller(request), () -> send(reply, request, response, done));
        } catch (IOException | RuntimeException | Error e) {
            done.failed(e);
        }
        return true;
    }

    private static boolean isLong(Reply reply) {
        return switch (reply) {
            case Reply.Stream _, Reply.Patient _, Reply.Socket _ -> true;
            case Reply.With(var inner, _) -> isLong(inner);
            case Reply.Body _, Reply.Text _, Reply.Nothing _, Reply.File _, Reply.Document _ ->
                    false;
        };
    }

    private Reply answer(Request request) {
        var shown = request.getMethod() + " " + Credentials.shown(request);
        return Dispatcher.answering(shown, () -> routed(request, Credentials.of(request)));
    }

    private Reply routed(Request request, Credentials credentials) throws IOException {
        var headers = request.getHeaders();
        if (cors.isPreflight(request.getMethod(), headers)) {
            return new Reply.Nothing(doorway.isHookServer() ? 200 : 204);
        }
        if (!originCheck.lets(headers.get(HttpHeader.HOST), headers.get(HttpHeader.ORIGIN))) {
            var origin = headers.get(HttpHeader.ORIGIN);
            return Problems.reply(
                    Code.FOREIGN_ORIGIN,
                    "This address or origin is not served: host '%s'%s"
                            .formatted(
                                    headers.get(HttpHeader.HOST),
                                    origin == null ? "" : ", origin '%s'".formatted(origin)));
        }
        var shown = credentials.path();
        var path = Dispatcher.segments(shown);
        var caller = caller(request, credentials);
        if (caller.isPresent() && !doorway.takes(caller.get(), credentials.place())) {
            return inAddress(caller.get());
        }
        var found = dispatcher.find(request.getMethod(), path);
        if (doorway.greets(request.getMethod(), shown)) return Doorway.greeting();
        boolean open = found.isPresent() && found.get().route().need() == Need.NOTHING;
        if (caller.isEmpty() && !open) {
            var problem =
                    Problems.reply(Code.TOKEN_MISSING, "No valid token came with the request");
            return new Reply.With(problem, credentials.challenge(seen(request)));
        }
        if (found.isEmpty()) return doorway.unserved(request.getMethod(), shown, path);
        var who = caller.orElse(Caller.NOBODY);
        var turn = requestLimit.enter(who, RequestLimit.PATIENCE);
        if (turn.isEmpty()) {
            return Problems.reply(
                    new RequestRefusal.TooMany(
                            "open requests of this token", requestLimit.max(who)));
        }
        request.setAttribute(TURN, turn.get());
        var route = found.get().route();
        var hold = turn.get().holding(memory.of(who, route.need()));
        var reading = new Reading(route, who, hold);
        // A runner's poll waits in its action, and must not keep the room from others meanwhile.
        boolean reads = route.need() != Need.NOTHING && route.need() != Need.RUN;
        if (route.method() == Method.GET && reads) hold.answer();
        var unread = new Dispatcher.Unread(() -> read(request, shown, reading), hold);
        var reply = OnBehalf.of(who.key(), () -> dispatcher.pass(who, found.get(), unread));
        return Access.may(who, route.need())
                ? reply
                : new Reply.With(reply, credentials.insufficient(seen(request)));
    }

    /** The key of the caller; null if the request was refused before it had a turn. */
    private static @Nullable String caller(Request request) {
        return request.getAttribute(TURN) instanceof RequestLimit.Turn turn
                ? turn.caller().key()
                : null;
    }

    private Optional<Caller> caller(Request request, Credentials credentials) {
        var token = credentials.token();
        return token == null
                ? Optional.ofNullable(doorway.anyone())
                : authentication
                        .caller(token)
                        .map(one ->
                                authentication.inRun(one, request.getHeaders().get(AGENT_TOKEN)));
    }

    private static void leave(Request request) {
        if (request.getAttribute(TURN) instanceof RequestLimit.Turn turn) turn.close();
    }

    private static Reply inAddress(Caller caller) {
        return Problems.reply(
                Code.TOKEN_IN_ADDRESS,
                "This token of the role '%s' may not stand in an address, which logs keep"
                        .formatted(Shape.word(caller.role())));
    }

    /** The route of a request whose body is read, its caller, and the memory for it. */
    private record Reading(Route route, Caller who, RequestMemory.Hold hold) {}

    /** The headers of a request, with our own finding of its protocol. */
    private Credentials.Headers seen(Request request) {
        var headers = request.getHeaders();
        return name -> name.equals(Credentials.SCHEME) ? scheme(request) : headers.get(name);
    }

    private String scheme(Request request) {
        var headers = request.getHeaders();
        var peer = peer(request);
        return originCheck.scheme(
                request.isSecure(),
                headers.get(HttpHeader.HOST),
                peer == null ? null : peer.theirs().getAddress(),
                headers.get(Credentials.SCHEME));
    }

    private Exchange.Request read(Request request, String path, Reading reading)
            throws IOException {
        var queries = new HashMap<String, String>();
        for (var field : Queries.of(request)) {
            queries.putIfAbsent(field.getName(), String.valueOf(field.getValue()));
        }
        var headers = new HashMap<String, String>();
        for (var field : request.getHeaders()) {
            headers.putIfAbsent(
                    field.getName().toLowerCase(Locale.ROOT), String.valueOf(field.getValue()));
        }
        headers.put(Credentials.SCHEME.toLowerCase(Locale.ROOT), scheme(request));
        return new Exchange.Request(
                reading.route().method(),
                path,
                Map.copyOf(queries),
                Map.copyOf(headers),
                Bodies.read(request, reading.who(), reading.route().weight(), reading.hold()),
                peer(request));
    }

    private static Exchange.@Nullable Peer peer(Request request) {
        var connection = request.getConnectionMetaData();
        return connection.getRemoteSocketAddress() instanceof InetSocketAddress theirs
                        && connection.getLocalSocketAddress() instanceof InetSocketAddress ours
                ? new Exchange.Peer(theirs, ours)
                : null;
    }

    /** Reads the rest of a refused request, so that the connection can be used again. */
    private static void readOut(Request request) {
        try (var in = PacedInput.of(request)) {
            in.skipNBytes(READ_OUT_BYTES_MAX);
        } catch (IOException | Rejected _) {
            // There is no more, or it is unreadable: then the answer closes the connection.
        }
    }

    private void send(Reply reply, Request request, Response response, Callback callback)
            throws IOException {
        if (!(reply instanceof Reply.Socket)) response.setStatus(reply.status());
        var headers = response.getHeaders();
        ANSWERS.forEach(headers::put);
        write(reply, request, response, callback);
    }

    private void write(Reply reply, Request request, Response response, Callback callback)
            throws IOException {
        var headers = response.getHeaders();
        switch (reply) {
            case Reply.Body(_, var value) -> {
                headers.put(HttpHeader.CONTENT_TYPE, "application/json");
                whole(Json.bytes(value), request, response, callback);
            }
            case Reply.Text(_, var mediaType, var text) -> {
                headers.put(HttpHeader.CONTENT_TYPE, mediaType);
                whole(text.getBytes(StandardCharsets.UTF_8), request, response, callback);
            }
            case Reply.With(var inner, var more) -> {
                more.forEach(headers::put);
                write(inner, request, response, callback);
            }
            case Reply.Nothing _ -> response.write(true, ByteBuffer.allocate(0), callback);
            case Reply.File(var path) -> {
                answered(request, 0);
                headers.put(HttpHeader.CONTENT_TYPE, "application/octet-stream");
                headers.put(HttpHeader.CONTENT_LENGTH, Files.size(path));
                stream(out -> Files.copy(path, out), request, response, callback);
            }
            case Reply.Stream(var feed) -> {
                headers.put(HttpHeader.CONTENT_TYPE, "text/event-stream");
                headers.put("X-Accel-Buffering", "no");
                stream(feed, request, response, callback);
            }
            case Reply.Document(var mediaType, var feed) -> {
                answered(request, Bounds.PAGE_BYTES_MAX);
                headers.put(HttpHeader.CONTENT_TYPE, mediaType);
                stream(feed, request, response, callback);
            }
            case Reply.Socket(var talk) -> {
                if (!webSockets.upgrade(talk, request, response, callback)) {
                    send(NO_SOCKET, request, response, callback);
                }
            }
            case Reply.Patient(_, var wait) -> patiently(wait, request, response, callback);
        }
    }

    private static void answered(Request request, long bytes) {
        if (request.getAttribute(TURN) instanceof RequestLimit.Turn turn) turn.answered(bytes);
    }

    /**
     * Sends bytes in pieces, because each write has a time limit. Once encoded, an answer holds
     * room only for its bytes, until they are sent.
     */
    private void whole(byte[] bytes, Request request, Response response, Callback callback) {
        answered(request, bytes.length);
        if (bytes.length <= PIECE_BYTES) {
            response.write(true, ByteBuffer.wrap(bytes), callback);
            return;
        }
        response.getHeaders().put(HttpHeader.CONTENT_LENGTH, bytes.length);
        Reply.Feed pieces =
                out -> {
                    for (int from = 0; from < bytes.length; from += PIECE_BYTES) {
                        out.write(bytes, from, Math.min(PIECE_BYTES, bytes.length - from));
                    }
                };
        stream(pieces, request, response, callback);
    }

    /**
     * Sends an answer once it is ready, with newlines before it to show that both sides are there.
     * It needs a turn, and a large one also room: if no turn is free, it is dropped and made again.
     */
    private void patiently(Wait wait, Request request, Response response, Callback callback) {
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, "application/json");
        var out = written(request, response);
        try (wait) {
            var value = within(wait, request);
            while (value == null) {
                checkToken(request);
                out.write('\n');
                out.flush();
                value = within(wait, request);
            }
            var free = again(request, Duration.ZERO);
            if (free.isEmpty()) {
                value = null;
                free = again(request, RequestLimit.PATIENCE);
            }
            if (free.isEmpty()) throw new IOException("no turn for the answer");
            try (var turn = free.get()) {
                if (value == null) value = wait.within(wait.silenceMax());
                checkToken(request);
                var bytes = Json.bytes(Objects.requireNonNull(value));
                value = null;
                if (bytes.length > PIECE_BYTES && !wait.hasRoom()) {
                    turn.holding(memory.of(turn.caller(), Need.READ)).answer(bytes.length);
                }
                out.write(bytes);
                out.close();
            }
            callback.succeeded();
        } catch (IOException | RuntimeException | Error e) {
            callback.failed(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            callback.failed(e);
        }
    }

    private @Nullable Object within(Wait wait, Request request) throws InterruptedException {
        return request.getAttribute(TURN) instanceof RequestLimit.Turn turn
                ? waits.within(turn.caller(), wait)
                : wait.within(wait.silenceMax());
    }

    /** Fails if the token of the request became invalid meanwhile. */
    private void checkToken(Request request) throws IOException {
        var token = Credentials.of(request).token();
        if (token != null && authentication.caller(token).isEmpty()) {
            throw new IOException("the token of the request is no longer valid");
        }
    }

    private Optional<RequestLimit.Turn> again(Request request, Duration patience) {
        return request.getAttribute(TURN) instanceof RequestLimit.Turn turn
                ? requestLimit.enter(turn.caller(), patience)
                : Optional.empty();
    }

    private OutputStream written(Request request, Response response) {
        var connection = request.getConnectionMetaData().getConnection().getEndPoint();
        return deadline.on(Content.Sink.asOutputStream(response), connection::close);
    }

    private void stream(Reply.Feed feed, Request request, Response response, Callback callback) {
        var out = new CheckedOutput(written(request, response), () -> checkToken(request));
        try {
            feed.into(out);
            out.close();
            callback.succeeded();
        } catch (IOException | Rejected e) {
            // The reader hung up, or has too many streams. Closing the stream would end the answer
            // as if it were whole; failing it closes the connection.
            callback.failed(e);
        } catch (RuntimeException | Error e) {
            LOG.log(System.Logger.Level.WARNING, "sending an answer failed", e);
            callback.failed(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            callback.failed(e);
        }
    }
}
