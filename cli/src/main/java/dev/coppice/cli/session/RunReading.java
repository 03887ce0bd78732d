package dev.coppice.cli.session;

import dev.coppice.client.CoppiceClient;
import dev.coppice.client.Pause;
import dev.coppice.client.Refused;
import dev.coppice.wire.Patience;
import dev.coppice.wire.Sizes;
import dev.coppice.wire.run.OutputView;
import dev.coppice.wire.run.RunCalls;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.Set;
import java.util.function.Consumer;

/** Reads the output of runs, once or until they end. */
public final class RunReading {
    private static final Patience WAIT = Patience.of(Duration.ofSeconds(20));
    private static final Set<String> WITHOUT_RUNNER = Set.of("queued", "hooked");
    private static final Duration QUEUED = Duration.ofMillis(300);

    /** The bytes in which the last lines are looked for. */
    private static final long TAIL_BYTES = Sizes.OUTPUT_PART_BYTES_MAX;

    private static final Duration ABSENT = Duration.ofSeconds(1);

    /** How long output is read. */
    public enum Until {
        /** Only what there is now. */
        NOW,
        /** Until the run ends, or its runner does not answer. */
        UNANSWERED,
        /** Until the run ends, also if its runner is away for a while. */
        OVER
    }

    private final CoppiceClient client;
    private final Until until;
    private final @Nullable Long tail;

    /**
     * @param tail the number of last lines to begin with; null for all
     */
    public RunReading(CoppiceClient client, Until until, @Nullable Long tail) {
        this.client = client;
        this.until = until;
        this.tail = tail;
    }

    /**
     * How the reading of a run ended.
     *
     * @param unavailable why there is no output, if so
     * @param isOver whether the run had ended
     * @param bytes those in both streams
     */
    public record End(@Nullable String unavailable, boolean isOver, long bytes) {}

    /** Reads standard output and standard error of a run, each into a reader. */
    public End read(String run, Consumer<String> toOut, Consumer<String> toErr)
            throws InterruptedException {
        boolean isFollowing = until != Until.NOW;
        var out = new Stream(toOut);
        var err = new Stream(toErr);
        while (true) {
            var read =
                    new RunCalls.ReadOutput(
                            run,
                            out.next,
                            err.next,
                            Sizes.OUTPUT_PART_BYTES_MAX,
                            isFollowing && out.isUnderWay ? WAIT : Patience.NONE);
            var part = client.callPatiently(RunCalls.OUTPUT, read);
            if (!part.isGood()) throw new Refused(part.problem());
            var view = part.value();
            if (view.unavailable() != null) {
                if (until != Until.OVER || view.ended()) {
                    return new End(view.unavailable(), view.ended(), 0);
                }
                Pause.of(ABSENT);
                continue;
            }
            boolean moreOut = out.take(view.stdout());
            boolean moreErr = err.take(view.stderr());
            boolean more = moreOut || moreErr;
            if (!more && (view.ended() || !isFollowing)) {
                return new End(null, view.ended(), out.next + err.next);
            }
            // Without a runner, no request can wait there for output.
            if (WITHOUT_RUNNER.contains(view.state())) Pause.of(QUEUED);
        }
    }

    /** One of the two streams of a run, up to the last part that was read. */
    private final class Stream {
        private final Consumer<String> to;
        private long next = tail == null ? 0 : -TAIL_BYTES;
        private boolean isUnderWay = tail == null;

        Stream(Consumer<String> to) {
            this.to = to;
        }

        /** Takes a part; true if the stream has more at present. */
        boolean take(OutputView.@Nullable Part part) {
            if (part == null) return false;
            var text = part.text();
            if (!isUnderWay && tail != null) text = lastLines(text, tail);
            isUnderWay = true;
            next = part.next();
            if (!text.isEmpty()) to.accept(text);
            return part.next() < part.size();
        }
    }

    private static String lastLines(String text, long lines) {
        if (lines == 0) return "";
        int at = text.endsWith("\n") ? text.length() - 1 : text.length();
        for (long i = 0; i < lines && at >= 0; i++) at = text.lastIndexOf('\n', at - 1);
        return at < 0 ? text : text.substring(at + 1);
    }
}
