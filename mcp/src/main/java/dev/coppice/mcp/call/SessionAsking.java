package dev.coppice.mcp.call;

import tools.jackson.databind.JsonNode;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Asks a client that has a session: with requests on the stream of the call. */
public final class SessionAsking implements Asking {
    /** A person has to see the question and to decide. */
    private static final Duration ANSWER_MAX = Duration.ofMinutes(10);

    private final ClientSession session;
    private final Outbox out;
    private final List<ClientSession.Asked> open = new CopyOnWriteArrayList<>();
    private volatile boolean isCancelled;

    public SessionAsking(ClientSession session, Outbox out) {
        this.session = session;
        this.out = out;
    }

    @Override
    public Map<String, JsonNode> answers(Map<String, Question> questions)
            throws BrokenCall, Cancelled {
        var asked = new LinkedHashMap<String, ClientSession.Asked>();
        try {
            for (var each : questions.entrySet()) {
                if (isCancelled) throw new Cancelled();
                var question = session.ask(each.getValue(), out);
                open.add(question);
                asked.put(each.getKey(), question);
            }
            // A cancellation before this point found no open question.
            if (isCancelled) throw new Cancelled();
            var answers = new LinkedHashMap<String, JsonNode>();
            for (var each : asked.entrySet()) answers.put(each.getKey(), answer(each.getValue()));
            return answers;
        } finally {
            asked.values().forEach(session::forget);
            open.clear();
        }
    }

    private static JsonNode answer(ClientSession.Asked asked) throws BrokenCall, Cancelled {
        var question = asked.question();
        try {
            var message = asked.answer().get(ANSWER_MAX.toMillis(), TimeUnit.MILLISECONDS);
            var answer = message.get("result");
            if (answer != null && question.isAnsweredBy(answer)) return answer;
            var shown = answer == null ? message.path("error").toString() : answer.toString();
            throw new BrokenCall(
                    200,
                    -32603,
                    "the client did not answer %s: %s".formatted(question.method(), shown));
        } catch (TimeoutException _) {
            throw new BrokenCall(
                    200,
                    -32603,
                    "the client did not answer %s within %d minutes"
                            .formatted(question.method(), ANSWER_MAX.toMinutes()));
        } catch (CancellationException _) {
            throw new Cancelled();
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new Cancelled();
        }
    }

    @Override
    public void cancel() {
        isCancelled = true;
        open.forEach(asked -> asked.answer().cancel(false));
    }
}
