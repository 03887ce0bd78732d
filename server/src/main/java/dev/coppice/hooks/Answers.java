package dev.coppice.hooks;

import dev.coppice.access.Access;
import dev.coppice.access.Need;
import dev.coppice.kernel.Bounds;
import dev.coppice.kernel.JsonText;
import dev.coppice.kernel.Outcome;
import dev.coppice.kernel.RequestRefusal;
import dev.coppice.kernel.Transactions;
import dev.coppice.observe.AnswerEvent;
import dev.coppice.observe.Observations.Sent;
import dev.coppice.operation.Rejected;
import dev.coppice.operation.Reply;
import dev.coppice.web.Exchange;
import dev.coppice.wire.Json;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.node.ObjectNode;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Takes a person's answer to an event, and passes it to the socket of the agent that asked. */
final class Answers {
    private static final System.Logger LOG = System.getLogger("hooks");
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    /** The answer goes nowhere else: an event must not make the coordinator call strangers. */
    private static final Set<String> HOSTS = Set.of("localhost", "127.0.0.1", "[::1]");

    private final Transactions transactions;
    private final AnswerEvent answer;
    private final Access access;

    Answers(Transactions transactions, AnswerEvent answer, Access access) {
        this.transactions = transactions;
        this.answer = answer;
        this.access = access;
    }

    /** The original's answer to an unknown number. */
    private record NotFound(String error) {}

    Reply respond(Exchange x) {
        var said = (ObjectNode) x.json().deepCopy();
        var found = number(x.path("event")).flatMap(n -> event(x, n));
        if (found.isEmpty()) return new Reply.Body(404, new NotFound("Event not found"));
        said.put("respondedAt", answer.clock().instant().toEpochMilli());
        var text = new JsonText(said.toString());
        int bytes = Bounds.bytesOf(text.value());
        if (bytes > Bounds.METADATA_BYTES_MAX) {
            throw new Rejected(
                    new RequestRefusal.TooLarge("answer", bytes, Bounds.METADATA_BYTES_MAX));
        }
        deliver(found.get(), text.value());
        var sent = transactions.write(() -> answer.answer(found.get(), text));
        return new Reply.Text(200, "application/json", SentText.of(sent));
    }

    private static Optional<Long> number(String text) {
        try {
            return Optional.of(Long.parseLong(text));
        } catch (NumberFormatException _) {
            return Optional.empty();
        }
    }

    private Optional<Sent> event(Exchange x, long number) {
        var found = transactions.read(() -> answer.observations().find(number));
        if (found.isEmpty()) return found;
        var may = transactions.read(() -> access.session(x.caller(), Need.ACT, found.get().node()));
        if (may instanceof Outcome.Refused<?>(var refusal)) throw new Rejected(refusal);
        return found;
    }

    /** Whether or not somebody listens there, the answer is kept. */
    private static void deliver(Sent event, String text) {
        var address = address(event);
        if (address == null) return;
        var client = HttpClient.newBuilder().connectTimeout(PATIENCE).build();
        try {
            var _ =
                    client.newWebSocketBuilder()
                            .buildAsync(address, new WebSocket.Listener() {})
                            .thenCompose(socket -> socket.sendText(text, true))
                            .thenCompose(socket -> socket.sendClose(WebSocket.NORMAL_CLOSURE, ""))
                            .get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException e) {
            LOG.log(
                    System.Logger.Level.INFO,
                    "the answer to event %d was not taken at %s".formatted(event.number(), address),
                    e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            client.shutdownNow();
        }
    }

    private static @Nullable URI address(Sent event) {
        var asks = Json.read(event.body().value()).path("humanInTheLoop");
        var text = asks.path("responseWebSocketUrl").asString("");
        try {
            var address = URI.create(text);
            boolean isNear =
                    "ws".equals(address.getScheme())
                            && HOSTS.contains(String.valueOf(address.getHost()));
            if (!isNear && !text.isEmpty()) {
                LOG.log(
                        System.Logger.Level.WARNING,
                        "event {0} wants its answer at {1}, which is not on this machine",
                        event.number(),
                        text);
            }
            return isNear ? address : null;
        } catch (IllegalArgumentException _) {
            return null;
        }
    }
}
