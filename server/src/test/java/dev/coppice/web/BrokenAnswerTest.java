package dev.coppice.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.access.Caller;
import dev.coppice.access.IssuedToken;
import dev.coppice.access.IssuedToken.Origin;
import dev.coppice.access.IssuedTokens;
import dev.coppice.access.Need;
import dev.coppice.access.Role;
import dev.coppice.access.TokenId;
import dev.coppice.access.Tokens;
import dev.coppice.kernel.Rejected;
import dev.coppice.kernel.SessionRefusal;
import dev.coppice.request.Reply;
import dev.coppice.request.Wait;
import dev.coppice.scene.Eventually;
import dev.coppice.store.SqlStore;
import dev.coppice.store.engine.Database;
import dev.coppice.store.schema.Databases;
import dev.coppice.store.session.SqlIssuedTokens;
import dev.coppice.thread.Loops;
import dev.coppice.wire.Call;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;

/** Answers that fail after their first bytes were sent. */
class BrokenAnswerTest {
    /** More requests than a role has turns. */
    private static final int TIMES = 300;

    private static final int SILENCE_MILLIS_MAX = 20_000;
    private static final Duration WRITE_MAX = Duration.ofSeconds(1);

    /** Much more than the buffers of a connection hold. */
    private static final int LARGE = 16 * 1024 * 1024;

    private static final IssuedToken VIEWER =
            new IssuedToken(
                    new TokenId("tok_1"),
                    Role.VIEWER,
                    null,
                    null,
                    Instant.EPOCH,
                    null,
                    null,
                    Origin.CREATED,
                    null,
                    null);

    @TempDir Path temp;
    private final Tokens tokens = new Tokens("cop_x");
    private final IssuedTokens issued = new SqlIssuedTokens();
    private final RequestMemory memory =
            new RequestMemory(Runtime.getRuntime().maxMemory(), 0, Duration.ZERO);
    private final AtomicInteger closed = new AtomicInteger();
    private @Nullable Database database;
    private @Nullable WebServer web;
    private int port;

    @BeforeEach
    void begin() throws IOException {
        var clock = InstantSource.system();
        var opened = Databases.sqlite(temp.resolve("coppice.db"), clock, _ -> {});
        database = opened;
        var server = new WebServer();
        web = server;
        var listening = server.open("127.0.0.1", 0);
        port = listening.number();
        var dispatcher = new Dispatcher(new Router(routes()), new RoleCheck((_, _, _) -> {}));
        server.serve(
                listening,
                new RequestPipeline(
                        Doorway.own(dispatcher, OriginCheck.of("http", OriginCheck.local(port))),
                        new Authentication(
                                tokens, opened, SqlStore.on(opened).sessions(), issued, clock),
                        memory,
                        new WriteDeadline(WRITE_MAX, new Loops())));
        server.start();
        opened.write(() -> {
            issued.add(VIEWER);
            return 0;
        });
    }

    @AfterEach
    void end() {
        Objects.requireNonNull(web).close();
        Objects.requireNonNull(database).close();
    }

    private List<Route> routes() throws IOException {
        var file = Files.writeString(temp.resolve("large"), "x".repeat(LARGE));
        return List.of(
                route("/file", new Reply.File(file)),
                route("/large", Reply.ok(List.of("x".repeat(LARGE)))),
                route(
                        "/list",
                        new Reply.Document(
                                "application/json",
                                out -> {
                                    out.write("[1,".getBytes(StandardCharsets.UTF_8));
                                    out.flush();
                                    throw new Rejected(new SessionRefusal.SessionUnknown("plan"));
                                })),
                route("/wait", new Reply.Patient(200, new Failing())),
                route("/long", new Reply.Document("text/plain", this::revokedWithin)),
                route("/ready", new Reply.Patient(200, _ -> List.of("told" + "x".repeat(100_000)))),
                route("/late", new Reply.Patient(200, new Revoked())),
                route("/good", Reply.ok(List.of())));
    }

    private static Route route(String path, Reply reply) {
        var call = Call.get("a", path, Call.Nothing.class, Call.Empty.class, "A test");
        return new Route(call, Need.NOTHING, _ -> reply);
    }

    /** Fails like a wait whose session was removed. */
    private final class Failing implements Wait {
        @Override
        public Object within(Duration time) {
            throw new Rejected(new SessionRefusal.SessionUnknown("plan"));
        }

        @Override
        public void close() {
            closed.incrementAndGet();
        }
    }

    /** Is ready once the token of its request is revoked. */
    private final class Revoked implements Wait {
        @Override
        public Object within(Duration time) {
            Objects.requireNonNull(database).write(() -> issued.remove(VIEWER.id()));
            return List.of("told");
        }
    }

    private void revokedWithin(OutputStream out) throws IOException {
        var piece = "x".repeat(CheckedOutput.UNCHECKED_BYTES_MAX).getBytes(StandardCharsets.UTF_8);
        out.write(piece);
        Objects.requireNonNull(database).write(() -> issued.remove(VIEWER.id()));
        out.write("told".getBytes(StandardCharsets.UTF_8));
    }

    private void ask(Socket socket, String path) throws IOException {
        socket.setSoTimeout(SILENCE_MILLIS_MAX);
        var request =
                "GET %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nConnection: close\r\n\r\n"
                        .formatted(path, port);
        socket.getOutputStream().write(request.getBytes(StandardCharsets.UTF_8));
    }

    private String read(String path) throws IOException {
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            ask(socket, path);
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        } catch (SocketException e) {
            // The server reset the connection, which also tells the client.
            return String.valueOf(e.getMessage());
        }
    }

    @Test
    void a_list_that_breaks_off_does_not_look_whole_and_gives_its_turn_back() throws IOException {
        for (int i = 0; i < TIMES; i++) assertThat(read("/list")).doesNotContain("\r\n0\r\n\r\n");
        assertThat(read("/good")).contains("200 OK");
    }

    @Test
    void a_wait_that_fails_is_closed_and_gives_its_turn_back() throws IOException {
        for (int i = 0; i < TIMES; i++) read("/wait");
        assertThat(closed).hasValue(TIMES);
        assertThat(read("/good")).contains("200 OK");
    }

    /** Only answers that do not wait took room. */
    @Test
    void a_large_answer_of_a_wait_needs_room_as_every_answer() throws IOException {
        try (var taken = memory.of(Caller.NOBODY, Need.READ)) {
            taken.answer();
            assertThat(read("/ready")).doesNotContain("told");
        }
        assertThat(read("/ready")).contains("told");
    }

    @Test
    void a_wait_whose_token_was_revoked_meanwhile_is_told_nothing() throws IOException {
        var path = "/t/" + tokens.issue(VIEWER.id());
        assertThat(read(path + "/good")).contains("200 OK");
        assertThat(read(path + "/late")).doesNotContain("told");
    }

    /** Lists in one answer were read to their end, page after page. */
    @Test
    void an_answer_of_many_parts_whose_token_was_revoked_meanwhile_breaks_off() throws IOException {
        var path = "/t/" + tokens.issue(VIEWER.id()) + "/long";
        assertThat(read(path)).doesNotContain("told", "\r\n0\r\n\r\n");
    }

    /** Reads a byte now and then, for longer than one write may take, and then all there is. */
    private long readSlowly(String path) throws IOException {
        try (var socket = new Socket()) {
            // With a small buffer, little of an unread answer leaves the server.
            socket.setReceiveBufferSize(16 * 1024);
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            ask(socket, path);
            var in = socket.getInputStream();
            long until = System.nanoTime() + 4 * WRITE_MAX.toNanos();
            Eventually.await(
                    () -> hasEnded(in) || System.nanoTime() > until, () -> "it is still read");
            return in.readAllBytes().length;
        } catch (SocketException _) {
            // The server reset the connection, and what was on its way is lost.
            return 0;
        }
    }

    private static boolean hasEnded(InputStream in) {
        try {
            return in.read() < 0;
        } catch (IOException _) {
            return true;
        }
    }

    /** Only streams had a deadline; the connection's own time-out begins anew with each byte. */
    @Test
    void a_reader_of_a_byte_now_and_then_holds_no_whole_answer_and_no_file() throws IOException {
        for (var path : List.of("/large", "/file")) {
            assertThat(readSlowly(path)).as(path).isLessThan(LARGE / 2);
            assertThat(read(path)).as(path).hasSizeGreaterThan(LARGE);
        }
    }
}
