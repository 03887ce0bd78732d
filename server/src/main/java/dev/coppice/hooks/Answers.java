package dev.coppice.hooks;

import dev.coppice.access.Access;
import dev.coppice.access.Need;
import dev.coppice.audit.Act;
import dev.coppice.audit.Audit;
import dev.coppice.kernel.Bounds;
import dev.coppice.kernel.JsonText;
import dev.coppice.kernel.Outcome;
import dev.coppice.kernel.Rejected;
import dev.coppice.kernel.RequestRefusal;
import dev.coppice.kernel.Transactions;
import dev.coppice.observe.AnswerEvent;
import dev.coppice.observe.Observations.Sent;
import dev.coppice.request.Reply;
import dev.coppice.web.Exchange;
import dev.coppice.wire.observe.HookCalls;

import tools.jackson.databind.node.ObjectNode;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Takes a person's answer to an event, and passes it to the socket of the agent that asked. */
final class Answers {
    private static final System.Logger LOG = System.getLogger("hooks");
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final Transactions transactions;
    private final AnswerEvent answer;
    private final Access access;
    private final Audit audit;
    private final Listeners listeners;

    Answers(
            Transactions transactions,
            AnswerEvent answer,
            Access access,
            Audit audit,
            Listeners listeners) {
        this.transactions = transactions;
        this.answer = answer;
        this.access = access;
        this.audit = audit;
        this.listeners = listeners;
    }

    /** The answer if the event is unknown. */
    private record NotFound(String error) {}

    Reply respond(Exchange x) {
        var said = (ObjectNode) x.json().deepCopy();
        var found = number(x.path("event")).flatMap(n -> event(x, n));
        if (found.isEmpty()) return new Reply.Body(404, new NotFound("Event not found"));
        var who = x.who();
        said.put("respondedBy", who.name());
        said.put("respondedAt", answer.clock().instant().toEpochMilli());
        var text = new JsonText(said.toString());
        int bytes = Bounds.bytesOf(text.value());
        if (bytes > Bounds.METADATA_BYTES_MAX) {
            throw new Rejected(
                    new RequestRefusal.TooLarge("answer", bytes, Bounds.METADATA_BYTES_MAX));
        }
        var sent =
                transactions.write(() -> {
                    audit.append(act(found.get(), who));
                    return answer.answer(found.get(), text);
                });
        // Deliver only an answer that is recorded.
        listeners.of(sent.number()).ifPresent(address -> deliver(address, text.value()));
        return new Reply.Text(200, "application/json", SentText.of(sent));
    }

    private Act act(Sent event, Act.Who who) {
        var detail = "event=" + event.number();
        var session = event.node().value();
        var what = new Act.What(HookCalls.RESPOND.name(), session, null, null, detail);
        return new Act(answer.clock().instant(), who, what, Act.Decision.allowed(null), null, null);
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
        var may =
                transactions.read(
                        () -> access.session(x.caller(), Need.DECIDE, found.get().node()));
        if (may instanceof Outcome.Refused<?>(var refusal)) throw new Rejected(refusal);
        return found;
    }

    /** Delivers the answer, which stays recorded if the delivery fails. */
    private static void deliver(URI address, String text) {
        var client = HttpClient.newBuilder().connectTimeout(PATIENCE).build();
        try {
            var _ =
                    client.newWebSocketBuilder()
                            .buildAsync(address, new WebSocket.Listener() {})
                            .thenCompose(socket -> socket.sendText(text, true))
                            .thenCompose(socket -> socket.sendClose(WebSocket.NORMAL_CLOSURE, ""))
                            .get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException e) {
            LOG.log(System.Logger.Level.INFO, "the answer was not taken at {0}: {1}", address, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            client.shutdownNow();
        }
    }
}
