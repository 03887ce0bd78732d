package dev.coppice.view;

import dev.coppice.health.Healths;
import dev.coppice.health.OpenQuestion;
import dev.coppice.kernel.SessionId;
import dev.coppice.wire.Json;
import dev.coppice.wire.event.ToolInput;
import dev.coppice.wire.look.OutlineCalls.QuestionView;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Reads the questions of agents to people from their events, which may have any shape. */
public final class Questions {
    private static final int TEXT_CHARS_MAX = 4_000;

    /** The field by which programs of the hook server ask, in an event of any type. */
    private static final String HUMAN = "humanInTheLoop";

    private static final int OPTIONS_MAX = 20;
    private static final int OPTION_CHARS_MAX = 200;

    private Questions() {}

    /** The open questions within a session, or of all, by their sessions. */
    public static Map<SessionId, QuestionView> open(Healths healths, @Nullable SessionId within) {
        return healths.questions(within).stream()
                .collect(Collectors.toMap(OpenQuestion::session, Questions::of));
    }

    public static QuestionView of(OpenQuestion question) {
        var body = Json.read(question.body().value());
        var human = body.path(HUMAN);
        boolean isResponse = human.isObject();
        return new QuestionView(
                question.event(),
                question.session().value(),
                text(question.type(), body),
                options(isResponse ? human.path("choices") : body.path("options")),
                Views.word(question.reach()),
                question.reach() == OpenQuestion.Reach.RESPONSE ? form(human) : null,
                question.ask(),
                question.at().toString());
    }

    /** True if programs ask a person by an event of this kind. */
    static boolean isAsked(String type, JsonNode body) {
        return OpenQuestion.TYPES.contains(type) || body.path(HUMAN).isObject();
    }

    /** The words of a question. */
    static String text(String type, JsonNode body) {
        var human = body.path(HUMAN);
        return cut(human.isObject() ? asked(human) : asked(body, type), TEXT_CHARS_MAX);
    }

    private static String asked(JsonNode human) {
        var text = Json.textIfAny(human, "question");
        return text == null ? "It asks, and does not say what" : text;
    }

    private static String form(JsonNode human) {
        var type = Json.textIfAny(human, "type");
        return type == null ? "question" : type;
    }

    private static String asked(JsonNode body, String type) {
        var payload = body.path("payload");
        var tool = first("tool_name", body, payload);
        if (tool != null) {
            var input =
                    payload.has("tool_input")
                            ? payload.path("tool_input")
                            : body.path("tool_input");
            return "May it use %s? %s".formatted(tool, ToolInput.subject(input)).strip();
        }
        var text = first("question", body, payload);
        if (text == null) text = first("message", body, payload);
        if (text == null) text = first("title", body, payload);
        return text == null ? "It waits: " + type : text;
    }

    private static @Nullable String first(String name, JsonNode... places) {
        return Stream.of(places)
                .map(place -> Json.textIfAny(place, name))
                .filter(text -> text != null && !text.isBlank())
                .findFirst()
                .orElse(null);
    }

    private static List<String> options(JsonNode given) {
        var options = new ArrayList<String>();
        for (var option : given) {
            var text = option.isString() ? option.asString() : Json.textIfAny(option, "label");
            if (text != null && options.size() < OPTIONS_MAX) {
                options.add(cut(text, OPTION_CHARS_MAX));
            }
        }
        return options;
    }

    private static String cut(String text, int max) {
        return text.length() <= max ? text : text.substring(0, max) + "…";
    }
}
