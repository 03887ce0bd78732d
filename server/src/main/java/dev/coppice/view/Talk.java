package dev.coppice.view;

import dev.coppice.journal.Entry;
import dev.coppice.journal.Fact;
import dev.coppice.kernel.Bounds;
import dev.coppice.kernel.JsonText;
import dev.coppice.kernel.RunId;
import dev.coppice.run.ReportEvent;
import dev.coppice.wire.Json;
import dev.coppice.wire.event.Bookkeeping;
import dev.coppice.wire.event.Saying;
import dev.coppice.wire.event.ToolReport;
import dev.coppice.wire.look.TurnCalls.Kind;
import dev.coppice.wire.look.TurnCalls.ReturnView;
import dev.coppice.wire.look.TurnCalls.TurnView;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Reads the turns of a conversation from the entries of a session's journal, in their order. The
 * reports of a use of a tool become one turn, and what was said twice in a row is one turn.
 */
public final class Talk {
    /** The longest text of a turn; its event has the whole. */
    public static final int TEXT_CHARS_MAX = 20_000;

    /** A prompt is read with its run, and counted as so many characters. */
    private static final int PROMPT_SIZE = 100_000;

    private static final int TOOL_CHARS_MAX = 8_000;

    /** The fields in which reports of other kinds have words for people. */
    private static final List<String> NOTES = List.of("message", "text", "summary", "content");

    private final Function<RunId, Optional<JsonText>> parameters;
    private final List<Turn> turns = new ArrayList<>();
    private final List<Turn> open = new ArrayList<>();
    private @Nullable String said;
    private @Nullable String told;

    /** {@code parameters} are those of a run, of which one is the prompt. */
    public Talk(Function<RunId, Optional<JsonText>> parameters) {
        this.parameters = parameters;
    }

    /** A turn, and when it is told; a use of a tool that returns later is changed then. */
    public static final class Turn {
        private final long number;
        private final Kind kind;
        private final Instant at;
        private final @Nullable String name;
        private final String text;
        private final @Nullable String input;
        private final @Nullable String call;
        private @Nullable ReturnView returned;
        private long tokens;
        private long costMicros;

        private Turn(
                Entry entry,
                Kind kind,
                @Nullable String name,
                String text,
                @Nullable String input,
                @Nullable String call) {
            this.number = entry.number();
            this.kind = kind;
            this.at = Talk.at(entry);
            this.name = name;
            // One more tells that there is more.
            this.text = Bounds.firstOf(text, TEXT_CHARS_MAX + 1);
            this.input = input;
            this.call = call;
        }

        public long number() {
            return number;
        }

        public Instant at() {
            return at;
        }

        /** True if a model was used for it. */
        public boolean isOfTheAgent() {
            return kind == Kind.SAYS || kind == Kind.DOES || kind == Kind.ASKS;
        }

        public void charge(long tokens, long costMicros) {
            this.tokens += tokens;
            this.costMicros += costMicros;
        }

        /** The number of characters of its texts on a page. */
        public int weight() {
            int size = Math.min(text.length(), TEXT_CHARS_MAX);
            if (input != null) size += input.length();
            return returned == null ? size : size + returned.text().length();
        }

        public TurnView view() {
            return new TurnView(
                    Long.toString(number),
                    kind,
                    number,
                    at.toString(),
                    name,
                    Bounds.firstOf(text, TEXT_CHARS_MAX),
                    text.length() > TEXT_CHARS_MAX,
                    input,
                    returned,
                    null,
                    tokens,
                    costMicros);
        }
    }

    /** The turns so far, oldest first. */
    public List<Turn> all() {
        return turns;
    }

    /** True if the entry may become a turn. */
    public static boolean mayTell(Entry entry) {
        return switch (entry.fact()) {
            case Fact.RunStarted _, Fact.Reported _ -> true;
            case Fact fact -> !Bookkeeping.is(fact.shown().type());
        };
    }

    /** The characters that the entry may have. */
    public static long size(Entry entry) {
        return switch (entry.fact()) {
            case Fact.Reported(_, var body) -> body.value().length();
            case Fact.ResultGiven(var text, var data) ->
                    (text == null ? 0 : text.length()) + (data == null ? 0 : data.value().length());
            case Fact.RunStarted _ -> PROMPT_SIZE;
            default -> 0;
        };
    }

    /** When it was, by the clock of its sender if that is known. */
    public static Instant at(Entry entry) {
        return entry.sentAt() == null ? entry.at() : entry.sentAt();
    }

    /** Reads the next entry. */
    public void read(Entry entry) {
        switch (entry.fact()) {
            case Fact.SessionCreated _,
                    Fact.SessionUpdated _,
                    Fact.CallbackMoved _,
                    Fact.AlertRaised _,
                    Fact.QuestionHeld _,
                    Fact.RunCompleted _ -> {}
            case Fact.RunStarted _ -> prompt(entry);
            case Fact.RunFailed(var error) -> add(entry, Kind.FAILED, error);
            case Fact.RunStopped(var reason) -> add(entry, Kind.STOPPED, reason);
            case Fact.ResultGiven(var text, var data) ->
                    result(entry, text, data == null ? null : Views.shown(data));
            case Fact.EventAnswered _ -> add(entry, Kind.ANSWERED, "answered");
            case Fact.QuestionSettled settled -> add(entry, Kind.ANSWERED, words(settled));
            case Fact.Reported(var type, var body) -> {
                var details = Json.valueOf(body.value());
                if (details != null) reported(entry, type, details);
            }
            case Fact other -> note(entry, other);
        }
    }

    /** Takes what a tool returned that was called in an earlier entry; skips all else. */
    public void readReturn(Entry entry) {
        if (open.isEmpty() || !(entry.fact() instanceof Fact.Reported(var type, var body))) return;
        var details = Json.valueOf(body.value());
        if (details == null) return;
        ToolReport.of(type, details)
                .filter(ToolReport::isReturned)
                .ifPresent(report -> close(entry, report));
    }

    private void prompt(Entry entry) {
        var run = entry.run();
        if (run == null) return;
        parameters
                .apply(run)
                .map(given -> Json.valueOf(given.value()))
                .map(Talk::prompt)
                .ifPresent(prompt -> told(entry, prompt));
    }

    /** The prompt of a run; its parameters if it has none that is text. */
    private static String prompt(JsonNode given) {
        var prompt = Json.textIfAny(given, "prompt");
        if (prompt != null) return prompt;
        return given.isEmpty() ? "" : shown(given);
    }

    private static String words(Fact.QuestionSettled settled) {
        var why = settled.why() == null ? "" : ": " + settled.why();
        return "%s by %s%s".formatted(settled.how().replace('_', ' '), settled.by(), why);
    }

    private void result(Entry entry, @Nullable String text, @Nullable JsonNode data) {
        var words = text == null || text.strip().equals(said) ? "" : text.strip();
        var values = data == null ? "" : "```\n%s\n```".formatted(shown(data));
        var both = (words + "\n\n" + values).strip();
        if (!both.isEmpty()) add(entry, Kind.RESULT, both);
    }

    /** A value in lines, unless it is so large that only its beginning is shown. */
    private static String shown(JsonNode value) {
        var text = value.toString();
        if (text.length() > TOOL_CHARS_MAX) return Bounds.firstOf(text, TOOL_CHARS_MAX);
        return Bounds.firstOf(Json.pretty(value), TOOL_CHARS_MAX);
    }

    private void note(Entry entry, Fact fact) {
        var shown = fact.shown();
        var words = new StringBuilder(shown.type().replace('_', ' '));
        shown.fields()
                .forEach((name, value) -> {
                    if (value != null && !name.endsWith("_id")) words.append(' ').append(value);
                });
        turns.add(new Turn(entry, Kind.NOTE, shown.type(), words.toString(), null, null));
    }

    private void reported(Entry entry, String type, JsonNode details) {
        if (Questions.isAsked(type, details)) {
            add(entry, Kind.ASKS, Questions.text(type, details));
            return;
        }
        if (type.equals(ReportEvent.RESULT)) {
            var data = details.path("result_data");
            boolean hasData = !data.isMissingNode() && !data.isNull();
            result(entry, Json.textIfAny(details, "result_text"), hasData ? data : null);
            return;
        }
        var report = ToolReport.of(type, details);
        if (report.isPresent()) {
            tool(entry, type, details, report.get());
            return;
        }
        var saying = Saying.of(type, details);
        if (saying.isPresent()) said(entry, saying.get());
        else noted(entry, type, details);
    }

    private void said(Entry entry, Saying saying) {
        switch (saying.kind()) {
            case TOLD -> told(entry, saying.text());
            case SAYS -> {
                if (saying.text().equals(said)) return;
                said = saying.text();
                add(entry, Kind.SAYS, saying.text());
            }
            case FAILED -> add(entry, Kind.FAILED, saying.text());
            case DOES -> add(entry, Kind.DOES, saying.text());
        }
    }

    /** The prompt of a run is told by Coppice, and often by its program too. */
    private void told(Entry entry, String prompt) {
        if (prompt.isBlank() || prompt.strip().equals(told)) return;
        add(entry, Kind.TOLD, prompt.strip());
        told = prompt.strip();
        said = null;
    }

    private void tool(Entry entry, String type, JsonNode details, ToolReport report) {
        told = null;
        if (report.isReturned() && close(entry, report)) return;
        var payload = Saying.payload(details);
        var input = payload.path("tool_input");
        var text = Saying.of(type, details).map(Saying::text).orElse("a tool returned");
        var turn =
                new Turn(
                        entry,
                        Kind.DOES,
                        report.tool(),
                        text,
                        input.isMissingNode() ? null : shown(input),
                        report.call());
        turns.add(turn);
        if (report.isReturned()) turn.returned = returned(turn, entry, report);
        else open.add(turn);
    }

    /** Without ids, what returns belongs to the newest use of a tool of that name. */
    private boolean close(Entry entry, ToolReport report) {
        for (int i = open.size() - 1; i >= 0; i--) {
            var turn = open.get(i);
            if (!isOf(turn, report)) continue;
            open.remove(i);
            turn.returned = returned(turn, entry, report);
            return true;
        }
        return false;
    }

    private static boolean isOf(Turn turn, ToolReport report) {
        if (report.call() != null && turn.call != null) return report.call().equals(turn.call);
        return report.tool() != null && report.tool().equals(turn.name);
    }

    private static ReturnView returned(Turn turn, Entry entry, ToolReport report) {
        var text = report.output();
        return new ReturnView(
                Bounds.firstOf(text, TOOL_CHARS_MAX),
                text.length() > TOOL_CHARS_MAX,
                report.isFailed(),
                Math.max(0, at(entry).toEpochMilli() - turn.at.toEpochMilli()));
    }

    private void noted(Entry entry, String type, JsonNode details) {
        for (var field : NOTES) {
            var text = Saying.content(details.path(field)).strip();
            if (text.isEmpty()) continue;
            turns.add(new Turn(entry, Kind.NOTE, type, text, null, null));
            return;
        }
    }

    private void add(Entry entry, Kind kind, String text) {
        if (kind != Kind.TOLD) told = null;
        turns.add(new Turn(entry, kind, null, text, null, null));
    }
}
