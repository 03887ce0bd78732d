package dev.coppice.runner.drive.dialect;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Questions of a program that a person answers, such as the permission to use a tool. They are
 * answered with messages to the session, in the order in which they were asked.
 */
final class PendingQuestions {
    static final List<Option> YES_NO =
            List.of(Option.once("allow", true), Option.once("deny", false));
    private static final Set<String> YES = Set.of("allow", "yes", "y", "ok");

    private final Upstream up;
    private final LinkedHashMap<String, Asked> open = new LinkedHashMap<>();

    PendingQuestions(Upstream up) {
        this.up = up;
    }

    /** A choice of a question, for this time or for all. */
    record Option(String id, boolean allows, Reach reach) {
        static Option once(String id, boolean allows) {
            return new Option(id, allows, Reach.ONCE);
        }

        private boolean isForAll() {
            return allows && reach == Reach.ALWAYS;
        }
    }

    /** The extent of a choice. */
    enum Reach {
        ONCE,
        ALWAYS
    }

    /** A question whether a tool may be used. */
    record Question(String id, String tool, JsonNode input, List<Option> options) {}

    /** An answer: the option that was chosen, and the words of a person who said no. */
    record Answered(Question question, Option option, String said) {
        String id() {
            return question.id();
        }

        boolean allowed() {
            return option.allows();
        }
    }

    private record Asked(String agent, Question question) {}

    /** The oldest question; null if there is none. */
    @Nullable String first() {
        return open.isEmpty() ? null : open.firstEntry().getKey();
    }

    void ask(String agent, Question question) {
        open.put(question.id(), new Asked(agent, question));
        up.question(
                agent,
                question.id(),
                Map.of(
                        "request_id", question.id(),
                        "tool_name", question.tool(),
                        "tool_input", question.input(),
                        "options", question.options().stream().map(Option::id).toList()));
    }

    /**
     * Takes a message as the answer to the oldest question: the id of an option, or yes. Any other
     * text refuses, and is passed to the agent as the reason. Null if there is no question.
     */
    @Nullable Answered answer(String text) {
        if (open.isEmpty()) return null;
        var asked = open.pollFirstEntry().getValue();
        var said = text.strip();
        var option = option(asked.question(), said.toLowerCase(Locale.ROOT));
        up.event(
                asked.agent(),
                "permission_answer",
                Map.of(
                        "request_id", asked.question().id(),
                        "answer", option.id(),
                        "said", said));
        return new Answered(asked.question(), option, said);
    }

    /**
     * A plain yes allows the tool once, whatever the program calls its options. If each option
     * allows more than once, it refuses: these need the id of the option.
     */
    private static Option option(Question question, String said) {
        boolean isYes = YES.contains(said);
        var options = question.options();
        for (var option : options) {
            boolean isNamed = option.id().toLowerCase(Locale.ROOT).equals(said);
            if (isNamed && !(isYes && option.isForAll())) return option;
        }
        boolean onlyForAll =
                !options.isEmpty() && options.stream().noneMatch(o -> o.allows() && !o.isForAll());
        boolean allows = isYes && !onlyForAll;
        return options.stream()
                .filter(option -> option.allows() == allows)
                .min(Comparator.comparing(Option::reach))
                .orElseGet(() -> Option.once(said, allows));
    }

    /** Forgets all questions, and returns their ids. */
    List<String> withdrawAll() {
        var ids = List.copyOf(open.keySet());
        ids.forEach(this::withdraw);
        return ids;
    }

    /** Forgets a question that the program does not wait for any more. */
    void withdraw(String id) {
        var asked = open.remove(id);
        if (asked == null) return;
        up.event(
                asked.agent(),
                "permission_answer",
                Map.of("request_id", id, "answer", "withdrawn"));
    }
}
