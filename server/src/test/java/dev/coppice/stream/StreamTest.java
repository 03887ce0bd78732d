package dev.coppice.stream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.boot.Coordinator;
import dev.coppice.boot.SettingsReader;
import dev.coppice.client.RawClient;
import dev.coppice.scene.Eventually;
import dev.coppice.scene.Temporary;
import dev.coppice.wire.Json;
import dev.coppice.wire.SseFrame;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import tools.jackson.databind.JsonNode;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;

/** The event stream, as its readers see it. */
class StreamTest {
    private Path data = Path.of("");
    private Coordinator coordinator = begin();

    @BeforeEach
    void known() {
        assertThat(coordinator.url()).isNotEmpty();
    }

    @AfterEach
    void close() {
        assertThat(client().get("/fsck").body().get("ok").asBoolean()).isTrue();
        coordinator.close();
    }

    private Coordinator begin() {
        data = Temporary.directory("coppice-live");
        return Coordinator.start(
                new SettingsReader(Map.of("COPPICE_DATA", data.toString(), "COPPICE_PORT", "0"))
                        .read());
    }

    private RawClient client() {
        try {
            return new RawClient(
                    URI.create(coordinator.url()), Files.readString(data.resolve("token")).strip());
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private void session(String id, String more) {
        var answer =
                client().post(
                                "/sessions",
                                Json.read(
                                        "{\"session_id\":\"%s\",\"session_name\":\"%s\"%s}"
                                                .formatted(id, id, more)));
        assertThat(answer.status()).isEqualTo(201);
    }

    private void tell(String session, String text) {
        client().post(
                        "/sessions/" + session + "/events",
                        Json.object().put("event_type", "message").put("text", text));
    }

    /** Reads up to the first frame that matches. */
    private List<SseFrame> read(String path, Predicate<SseFrame> last) {
        var frames = new ArrayList<SseFrame>();
        client().follow(
                        path,
                        frame -> {
                            frames.add(frame);
                            return !last.test(frame);
                        });
        return frames;
    }

    private static Predicate<SseFrame> saying(String text) {
        return frame -> frame.data().contains("\"text\":\"" + text + "\"");
    }

    @Test
    void the_stream_begins_with_the_sessions_and_follows_events() throws InterruptedException {
        session("top", "");
        var begun = new CountDownLatch(1);
        var frames = new ArrayList<SseFrame>();
        var reader =
                Thread.ofVirtual()
                        .start(() ->
                                client().follow(
                                                "/sse/sessions",
                                                frame -> {
                                                    frames.add(frame);
                                                    begun.countDown();
                                                    return !saying("last").test(frame);
                                                }));
        assertThat(begun.await(20, TimeUnit.SECONDS)).isTrue();
        session("child", ",\"parent_session_id\":\"top\"");
        tell("child", "last");
        reader.join(20_000);
        assertThat(frames.stream().map(SseFrame::event))
                .containsExactly("init", "session_created", "event");
        assertThat(Json.read(frames.getFirst().data()).get("sessions").size()).isEqualTo(1);
        assertThat(frames.get(1).data()).contains("\"parent_session_id\":\"top\"");
        assertThat(frames.get(2).data()).startsWith("{\"data\":{\"id\":");
    }

    /** Original, section 3: Last-Event-ID is accepted and nothing is replayed. */
    @Test
    void the_stream_of_a_revoked_token_ends() throws InterruptedException {
        session("top", "");
        var made = client().post("/tokens", Json.read("{\"role\":\"viewer\"}")).body();
        assertStreamEnds(made, made);
    }

    @Test
    void the_stream_of_a_token_ends_with_the_one_with_which_it_was_made()
            throws InterruptedException {
        session("top", "");
        var maker = client().post("/tokens", Json.read("{\"role\":\"operator\"}")).body();
        var token = String.valueOf(Json.text(maker, "token"));
        var made =
                new RawClient(URI.create(coordinator.url()), token)
                        .post("/tokens", Json.read("{\"role\":\"viewer\"}"))
                        .body();
        assertStreamEnds(made, maker);
    }

    /** Reads a stream with one token, and revokes another. */
    private void assertStreamEnds(JsonNode reads, JsonNode revoked) throws InterruptedException {
        var token = String.valueOf(Json.text(reads, "token"));
        var reader = new RawClient(URI.create(coordinator.url()), token);
        var begun = new CountDownLatch(1);
        var frames = new ArrayList<SseFrame>();
        var reading =
                Thread.ofVirtual()
                        .start(() -> {
                            try {
                                reader.follow(
                                        "/sse/sessions",
                                        frame -> {
                                            frames.add(frame);
                                            begun.countDown();
                                            return true;
                                        });
                            } catch (RuntimeException _) {
                                // The stream breaks off.
                            }
                        });
        assertThat(begun.await(20, TimeUnit.SECONDS)).isTrue();
        var id = Json.text(revoked.get("view"), "token_id");
        assertThat(client().delete("/tokens/" + id).isGood()).isTrue();
        for (int i = 0; reading.isAlive(); i++) {
            tell("top", "n" + i);
            assertThat(reading.join(Duration.ofMillis(100)) || i < 200).isTrue();
        }
        assertThat(frames).isNotEmpty();
    }

    @Test
    void a_reader_that_returns_with_its_last_number_misses_nothing() {
        session("top", "");
        for (int i = 0; i < 1200; i++) tell("top", "m" + i);
        var first = read("/sse/sessions?after=0", saying("m500"));
        var rest = read("/sse/sessions?after=" + first.getLast().id(), saying("m1199"));
        var numbers = new ArrayList<Long>();
        first.forEach(f -> numbers.add(Long.parseLong(f.id())));
        rest.forEach(f -> numbers.add(Long.parseLong(f.id())));
        assertThat(numbers).hasSize(1201).isSorted().doesNotHaveDuplicates();
    }

    @Test
    void the_stream_is_filtered_by_session_subtree_and_type() {
        session("top", "");
        session("child", ",\"parent_session_id\":\"top\"");
        session("other", "");
        tell("other", "not for us");
        tell("top", "above");
        tell("child", "end");
        tell("other", "end");
        assertThat(read("/sse/sessions?after=0&subtree=top", saying("end")).toString())
                .contains("above")
                .doesNotContain("not for us");
        assertThat(read("/sse/sessions?after=0&session_id=child", saying("end")).toString())
                .doesNotContain("above");
        assertThat(
                        read("/sse/sessions?after=0&types=event", saying("end")).stream()
                                .map(SseFrame::event)
                                .distinct())
                .containsExactly("event");
    }

    @Test
    void all_followers_see_the_same_numbers_in_the_same_order() throws InterruptedException {
        session("top", "");
        var seen = new ArrayList<List<String>>();
        var readers = new ArrayList<Thread>();
        for (int i = 0; i < 20; i++) {
            var mine = new ArrayList<String>();
            seen.add(mine);
            readers.add(
                    Thread.ofVirtual()
                            .start(() ->
                                    client().follow(
                                                    "/sse/sessions?after=0",
                                                    frame -> {
                                                        mine.add(frame.id());
                                                        return !saying("m99").test(frame);
                                                    })));
        }
        for (int i = 0; i < 100; i++) tell("top", "m" + i);
        for (var reader : readers) reader.join(30_000);
        assertThat(seen)
                .allSatisfy(mine -> assertThat(mine).isEqualTo(seen.getFirst()).hasSize(101));
    }

    @Test
    void events_deleted_by_retention_are_announced_as_a_gap() throws IOException {
        var preserved = Temporary.directory("coppice-live");
        var settings =
                Map.of(
                        "COPPICE_DATA", preserved.toString(),
                        "COPPICE_PORT", "0",
                        "COPPICE_KEEP_EVENTS", "200ms");
        try (var forgetful = Coordinator.start(new SettingsReader(settings).read())) {
            var client =
                    new RawClient(
                            URI.create(forgetful.url()),
                            Files.readString(preserved.resolve("token")).strip());
            var old =
                    "{\"source_app\":\"a\",\"session_id\":\"top\",\"hook_event_type\":\"old\",\"payload\":{}}";
            for (int i = 0; i < 9; i++) client.post("/events", Json.read(old));
            Eventually.await(
                    () -> client.get("/sessions/top/events").body().get("events").isEmpty(),
                    () -> "events are not deleted");
            var frames = new ArrayList<SseFrame>();
            client.follow(
                    "/sse/sessions?after=2",
                    frame -> {
                        frames.add(frame);
                        return false;
                    });
            assertThat(frames.getFirst().event()).isEqualTo("gap");
            assertThat(frames.getFirst().data()).isEqualTo("{\"from\":3,\"to\":10}");
        }
    }

    /** Events of other sessions do not replace the heartbeat of a silent stream. */
    @Test
    void a_reader_without_events_gets_a_heartbeat() throws IOException {
        session("busy", "");
        session("silent", "");
        var address = URI.create(coordinator.url());
        var token = Files.readString(data.resolve("token")).strip();
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), address.getPort())) {
            socket.setSoTimeout(30_000);
            var request =
                    "GET /sse/sessions?after=0&session_id=silent HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\n\r\n"
                            .formatted(address.getAuthority(), token);
            socket.getOutputStream().write(request.getBytes(StandardCharsets.UTF_8));
            var talker = Thread.ofVirtual().start(() -> talkOn(socket));
            var lines =
                    new BufferedReader(
                            new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
            var line = lines.readLine();
            while (line != null && !line.equals(": heartbeat")) line = lines.readLine();
            assertThat(line).isEqualTo(": heartbeat");
            talker.interrupt();
        }
    }

    private void talkOn(Socket listener) {
        while (!listener.isClosed() && !Thread.currentThread().isInterrupted()) {
            tell("busy", "still here");
            LockSupport.parkNanos(200_000_000);
        }
    }
}
