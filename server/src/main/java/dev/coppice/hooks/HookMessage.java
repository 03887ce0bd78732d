package dev.coppice.hooks;

import dev.coppice.ask.ToolUse;
import dev.coppice.kernel.Bounds;
import dev.coppice.kernel.JsonText;
import dev.coppice.kernel.Outcome;
import dev.coppice.kernel.RequestRefusal;
import dev.coppice.kernel.SessionId;
import dev.coppice.observe.Observation;
import dev.coppice.observe.Observation.Moment;
import dev.coppice.observe.Observation.Spawn;
import dev.coppice.wire.Json;

import org.jspecify.annotations.Nullable;

import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Reads one message of a hook's sender. It is parsed once, and only the fields that Coppice needs
 * are kept besides its text.
 */
final class HookMessage {
    private static final Instant EARLIEST = Instant.parse("2000-01-01T00:00:00Z");
    private static final Instant LATEST = Instant.parse("2100-01-01T00:00:00Z");
    private static final Duration AHEAD_MAX = Duration.ofDays(1);
    private static final String TIME_RULE =
            "a time in milliseconds since 1970, from the year 2000 to a day from now";
    private static final String LABEL_RULE =
            "a text of at most %d characters, without control characters"
                    .formatted(Bounds.LABEL_CHARS_MAX);

    /** Answers of tools that name an agent are shorter than this. */
    private static final int ANSWER_CHARS_MAX = 1_000;

    /** Ids of subagents by the relationship server's hooks: the parent's id with a suffix. */
    private static final Pattern CHILD_ID = Pattern.compile("([0-9a-fA-F-]{36})_\\d+_\\d+");

    /** The fields in which the input of a call names the type of the agent to start. */
    private static final Set<String> TYPES = Set.of("subagent_type", "agent_type", "agent_name");

    private @Nullable String app;
    private @Nullable String session;
    private @Nullable String type;
    private @Nullable String agent;
    private @Nullable String agentType;
    private @Nullable String wave;
    private @Nullable String parent;
    private @Nullable String tool;
    private @Nullable String startedAgent;
    private @Nullable String answer;
    private @Nullable String startedType;
    private @Nullable String toolStatus;
    private @Nullable String call;
    private @Nullable String answerAddress;
    private @Nullable Instant sentAt;
    private @Nullable RequestRefusal fault;
    private boolean hasPayload;
    private boolean hasError;
    private boolean hasOurFields;
    private boolean asks;

    private HookMessage() {}

    /** Reads an object from its start token to its end token. */
    static HookMessage read(JsonParser parser) {
        var message = new HookMessage();
        while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
            var name = parser.currentName();
            var token = parser.nextToken();
            message.field(name, token, parser);
        }
        return message;
    }

    private void field(String name, JsonToken token, JsonParser parser) {
        switch (name) {
            case "source_app" -> app = label(name, token, parser);
            case "session_id" -> session = label(name, token, parser);
            case "hook_event_type" -> type = label(name, token, parser);
            case "wave_id" -> wave = label(name, token, parser);
            case "parent_session_id" -> parent = label(name, token, parser);
            case "agent_id", "agent_type" -> aboutAgent(name, token, parser);
            case "timestamp" -> {
                sentAt = time(token, parser);
                hasOurFields |= sentAt == null;
            }
            case "id", "humanInTheLoopStatus" -> {
                hasOurFields = true;
                parser.skipChildren();
            }
            case "humanInTheLoop" -> {
                asks = isGiven(token, parser);
                if (token == JsonToken.START_OBJECT) person(parser);
                else parser.skipChildren();
            }
            case "payload" -> {
                hasPayload = isGiven(token, parser);
                if (token == JsonToken.START_OBJECT) payload(parser);
                else parser.skipChildren();
            }
            default -> parser.skipChildren();
        }
    }

    private void person(JsonParser parser) {
        while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
            var name = parser.currentName();
            var text = textOrNull(parser.nextToken(), parser);
            if (name.equals("responseWebSocketUrl")) answerAddress = text;
        }
    }

    private void payload(JsonParser parser) {
        while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
            var name = parser.currentName();
            var token = parser.nextToken();
            switch (name) {
                case "agent_id", "agent_type" -> aboutAgent(name, token, parser);
                case "tool_use_id" -> call = textOrNull(token, parser);
                case "tool_name" -> tool = textOrNull(token, parser);
                case "error" -> {
                    hasError = isGiven(token, parser);
                    parser.skipChildren();
                }
                case "tool_response" -> answered(token, parser);
                case "tool_input" -> asked(token, parser);
                default -> parser.skipChildren();
            }
        }
    }

    private void aboutAgent(String name, JsonToken token, JsonParser parser) {
        var text = textOrNull(token, parser);
        if (text == null || text.isEmpty()) return;
        if (name.equals("agent_id")) agent = text;
        else agentType = text;
    }

    private void answered(JsonToken token, JsonParser parser) {
        if (token == JsonToken.VALUE_STRING && parser.getStringLength() <= ANSWER_CHARS_MAX) {
            answer = parser.getString();
        }
        if (token != JsonToken.START_OBJECT) {
            parser.skipChildren();
            return;
        }
        while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
            var name = parser.currentName();
            var next = parser.nextToken();
            if (name.equals("returnDisplay") && next == JsonToken.START_OBJECT) {
                displayed(parser);
                continue;
            }
            var text = textOrNull(next, parser);
            if (name.equals("agentId")) startedAgent = text;
            if (name.equals("status")) toolStatus = text;
        }
    }

    /**
     * Finds the agent that Gemini has started: the ids of the agent's own calls begin with its id.
     */
    private void displayed(JsonParser parser) {
        while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
            var name = parser.currentName();
            var token = parser.nextToken();
            if (name.equals("recentActivity") && token == JsonToken.START_ARRAY) {
                while (parser.nextToken() != JsonToken.END_ARRAY) activity(parser);
                continue;
            }
            var text = textOrNull(token, parser);
            if (name.equals("state")) toolStatus = text;
        }
    }

    private void activity(JsonParser parser) {
        if (parser.currentToken() != JsonToken.START_OBJECT) {
            parser.skipChildren();
            return;
        }
        while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
            var name = parser.currentName();
            var text = textOrNull(parser.nextToken(), parser);
            int end = text == null || !name.equals("id") ? -1 : text.indexOf('#');
            if (end > 0) startedAgent = String.valueOf(text).substring(0, end);
        }
    }

    /** The agent that a call has started. Codex answers with the text of an object. */
    private @Nullable String started() {
        if (startedAgent != null || answer == null || !answer.startsWith("{")) return startedAgent;
        var object = Json.valueOf(answer);
        return object == null ? null : Json.textIfAny(object, "agent_id");
    }

    private void asked(JsonToken token, JsonParser parser) {
        if (token != JsonToken.START_OBJECT) {
            parser.skipChildren();
            return;
        }
        while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
            var name = parser.currentName();
            var text = textOrNull(parser.nextToken(), parser);
            if (TYPES.contains(name)) startedType = text;
        }
    }

    private static @Nullable String textOrNull(JsonToken token, JsonParser parser) {
        if (token == JsonToken.VALUE_STRING) return parser.getString();
        parser.skipChildren();
        return null;
    }

    /** True for values that are true in JavaScript, in which senders are written. */
    private static boolean isGiven(JsonToken token, JsonParser parser) {
        return switch (token) {
            case VALUE_NULL, VALUE_FALSE -> false;
            case VALUE_STRING -> parser.getStringLength() > 0;
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> parser.getDoubleValue() != 0;
            default -> true;
        };
    }

    private @Nullable String label(String name, JsonToken token, JsonParser parser) {
        if (token == JsonToken.VALUE_NULL) return null;
        var text = textOrNull(token, parser);
        boolean isPlain = text != null && isPlain(text);
        if (!isPlain) reject(name, text == null ? String.valueOf(token) : text, LABEL_RULE);
        return isPlain ? text : null;
    }

    /** True for control characters and unpaired surrogates. */
    private static boolean isUnprintable(int c) {
        return Character.isISOControl(c)
                || (c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE);
    }

    private @Nullable Instant time(JsonToken token, JsonParser parser) {
        if (token == JsonToken.VALUE_NULL) return null;
        if (!token.isNumeric()) {
            var text = textOrNull(token, parser);
            reject("timestamp", text == null ? String.valueOf(token) : text, TIME_RULE);
            return null;
        }
        double millis = parser.getDoubleValue();
        if (millis == 0) return null;
        if (millis >= EARLIEST.toEpochMilli() && millis <= LATEST.toEpochMilli()) {
            return Instant.ofEpochMilli((long) millis);
        }
        reject("timestamp", parser.getString(), TIME_RULE);
        return null;
    }

    /** Keeps the first fault. The rest is still read, as other messages may follow. */
    private void reject(String field, String value, String rule) {
        if (fault == null) fault = new RequestRefusal.BadValue(field, value, rule);
    }

    /** The properties of a message that decide which fields are added to it when it is shown. */
    record Traits(boolean hasTime, boolean hasOurFields, boolean asks) {}

    /** The address at which the sender waits for a person's answer. */
    @Nullable String answerAddress() {
        return answerAddress;
    }

    Traits traits() {
        return new Traits(sentAt != null, hasOurFields, asks);
    }

    /** Returns the required fields that are missing; an empty value counts as missing. */
    List<String> missing() {
        var missing = new ArrayList<String>();
        if (fault != null) return missing;
        if (app == null || app.isEmpty()) missing.add("source_app");
        if (session == null || session.isEmpty()) missing.add("session_id");
        if (type == null || type.isEmpty()) missing.add("hook_event_type");
        if (!hasPayload) missing.add("payload");
        return List.copyOf(missing);
    }

    /** Returns the event of this text, received at {@code now}. */
    Outcome<Observation> observed(String text, Instant now) {
        if (fault != null) return Outcome.refused(fault);
        var missing = missing();
        if (!missing.isEmpty()) return bad(String.join(", ", missing), "", "given");
        if (!SessionId.isValid(String.valueOf(session))) {
            return bad("session_id", String.valueOf(session), SessionId.RULE);
        }
        if (sentAt != null && sentAt.isAfter(now.plus(AHEAD_MAX))) {
            return bad("timestamp", Long.toString(sentAt.toEpochMilli()), TIME_RULE);
        }
        int bytes = Bounds.bytesOf(text);
        if (bytes > Bounds.EVENT_BYTES_MAX) {
            return Outcome.refused(
                    new RequestRefusal.TooLarge("event", bytes, Bounds.EVENT_BYTES_MAX));
        }
        return Outcome.done(
                new Observation(
                        new SessionId(String.valueOf(session)),
                        agent,
                        String.valueOf(type),
                        sentAt == null ? now : sentAt,
                        new Observation.Message(new JsonText(text), bytes),
                        hints()));
    }

    private static Outcome<Observation> bad(String field, String value, String rule) {
        return Outcome.refused(new RequestRefusal.BadValue(field, value, rule));
    }

    private Observation.Hints hints() {
        return new Observation.Hints(app, agentType, wave, above(), spawn(), moment());
    }

    private @Nullable SessionId above() {
        if (parent != null && SessionId.isValid(parent)) return new SessionId(parent);
        var child = CHILD_ID.matcher(String.valueOf(session));
        return child.matches() ? new SessionId(child.group(1)) : null;
    }

    private @Nullable Spawn spawn() {
        if ("SubagentStart".equals(type) && agent != null) {
            var began = plain(agentType);
            return began == null ? null : new Spawn.Begun(began);
        }
        var usual = tool == null ? null : ToolUse.startedBy(tool);
        if (usual == null) return null;
        var known = plain(call);
        boolean isAnswer = "PostToolUse".equals(type);
        var started = isAnswer ? started() : null;
        if (started != null) {
            boolean hasEnded = "completed".equals(toolStatus);
            return new Spawn.Answered(known, started, startedType, hasEnded);
        }
        if (known == null) return null;
        if (isAnswer || "PostToolUseFailure".equals(type)) return new Spawn.Unanswered(known);
        var wanted = plain(startedType == null ? usual : startedType);
        if (wanted == null || !"PreToolUse".equals(type)) return null;
        return new Spawn.Called(known, wanted);
    }

    private static @Nullable String plain(@Nullable String text) {
        return text != null && isPlain(text) ? text : null;
    }

    private static boolean isPlain(String text) {
        return text.length() <= Bounds.LABEL_CHARS_MAX
                && text.codePoints().noneMatch(HookMessage::isUnprintable);
    }

    private Moment moment() {
        return switch (String.valueOf(type)) {
            case "SessionStart",
                    "UserPromptSubmit",
                    "PreToolUse",
                    "PostToolUse",
                    "PostToolUseFailure",
                    "PostToolBatch",
                    "SubagentStart",
                    "AgentSpawn",
                    "AgentSpawned",
                    "MessageDisplay",
                    "PreCompact" ->
                    Moment.WORKS;
            case "Stop", "StopFailure" -> Moment.WAITS;
            case "SessionEnd" -> agent == null ? Moment.ENDS : Moment.NONE;
            // An event that names no agent is about the parent, which goes on.
            case "SubagentStop" ->
                    agent == null && above() == null
                            ? Moment.NONE
                            : hasError ? Moment.FAILS : Moment.ENDS;
            default -> Moment.NONE;
        };
    }
}
