package dev.coppice.store;

import dev.coppice.journal.Fact;
import dev.coppice.word.Ending;

import org.jspecify.annotations.Nullable;

import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

import java.util.Set;
import java.util.regex.Pattern;

/**
 * The searchable parts of an event: the texts of its body, its tool, the outcome that it reports,
 * and whether a person is asked. Bodies come from any program, so any JSON is accepted.
 */
record EventWords(String text, @Nullable String tool, @Nullable Ending ending, boolean isQuestion) {
    private static final int CHARS_MAX = 32 * 1024;
    private static final JsonFactory JSON = new JsonFactory();

    /** Fields whose values identify something, and would be found by every search. */
    private static final Set<String> NOT_TEXT =
            Set.of(
                    "session_id",
                    "parent_session_id",
                    "agent_id",
                    "transcript_path",
                    "agent_transcript_path",
                    "cwd",
                    "hook_event_name",
                    "hook_event_type",
                    "event_type",
                    "permission_mode",
                    "tool_use_id",
                    "source_app",
                    "timestamp");

    /** The hook server's field for a question to a person. */
    private static final String QUESTION = "humanInTheLoop";

    private static final Set<String> TOOL = Set.of("tool_name", "toolName", "tool");
    private static final Pattern FAILURE = Pattern.compile("(?i).*(fail(ed|ure)|error)");
    private static final Pattern END =
            Pattern.compile(
                    "(?i)PostToolUse|(Subagent|Session|Task)?(Stop|End|Completed)|.*_completed");

    static EventWords of(Fact fact, String body) {
        return switch (fact) {
            case Fact.SessionCreated _, Fact.SessionUpdated _ ->
                    new EventWords("", null, null, false);
            case Fact other -> read(other.shown().type(), body);
        };
    }

    private static EventWords read(String type, String body) {
        var text = new StringBuilder();
        var found = new Found();
        try (var parser = JSON.createParser(ObjectReadContext.empty(), body)) {
            for (var token = parser.nextToken(); token != null; token = parser.nextToken()) {
                found.read(token, parser, text);
            }
        } catch (JacksonException _) {
            // The text before the flaw stays searchable.
        }
        boolean isFailed = found.isFailed || FAILURE.matcher(type).matches();
        var good = END.matcher(type).matches() ? Ending.OK : null;
        return new EventWords(
                text.toString(), found.tool, isFailed ? Ending.FAILED : good, found.isQuestion);
    }

    private static final class Found {
        private @Nullable String tool;
        private boolean isFailed;
        private boolean isQuestion;

        void read(JsonToken token, JsonParser parser, StringBuilder text) {
            var name = parser.currentName();
            if (token == JsonToken.START_OBJECT && QUESTION.equals(name)) isQuestion = true;
            if (token == JsonToken.VALUE_TRUE && "is_error".equals(name)) isFailed = true;
            if (token == JsonToken.VALUE_FALSE && "success".equals(name)) isFailed = true;
            if (token != JsonToken.VALUE_STRING) return;
            var value = parser.getString();
            if ("error".equals(name) && !value.isBlank()) isFailed = true;
            if (tool == null && name != null && TOOL.contains(name)) tool = value;
            int room = CHARS_MAX - text.length();
            if (room <= 0 || value.isBlank() || (name != null && NOT_TEXT.contains(name))) return;
            if (!text.isEmpty()) text.append('\n');
            text.append(value, 0, Math.min(room, value.length()));
        }
    }
}
