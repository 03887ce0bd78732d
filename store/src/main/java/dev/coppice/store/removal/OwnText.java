package dev.coppice.store.removal;

import dev.coppice.budget.Amounts;
import dev.coppice.budget.Budget;
import dev.coppice.kernel.SessionId;
import dev.coppice.removal.Removals.Own;
import dev.coppice.session.Limits;
import dev.coppice.word.BudgetPolicy;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.node.ObjectNode;

import java.util.EnumMap;

/** The limits and budgets that a detached session had before, as JSON. */
final class OwnText {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private OwnText() {}

    static String of(Own own) {
        var text = MAPPER.createObjectNode();
        own.limits().max().forEach((kind, max) -> text.put(kind.word(), max));
        text.set("budget", of(own.budget()));
        text.set("given", of(own.given()));
        return text.toString();
    }

    private static @Nullable ObjectNode of(@Nullable Budget budget) {
        if (budget == null) return null;
        var text = MAPPER.createObjectNode().put("policy", budget.policy().name());
        for (var kind : Amounts.Kind.values()) {
            var max = budget.max().of(kind);
            if (max != null) text.put(kind.name(), max);
            if (budget.told().containsKey(kind)) {
                text.put("told " + kind.name(), budget.warned(kind).name());
            }
        }
        return text;
    }

    /** Returns null if there is no text: they were not recorded yet. */
    static @Nullable Own read(SessionId session, @Nullable String text) {
        if (text == null) return null;
        var own = MAPPER.readTree(text);
        var limits = Limits.NONE;
        for (var kind : Limits.Kind.values()) limits = limits.with(kind, number(own, kind.word()));
        return new Own(
                limits, budget(session, own.path("budget")), budget(session, own.path("given")));
    }

    private static @Nullable Budget budget(SessionId session, JsonNode text) {
        if (!text.isObject()) return null;
        var told = new EnumMap<Amounts.Kind, Budget.Warned>(Amounts.Kind.class);
        for (var kind : Amounts.Kind.values()) {
            var warned = text.path("told " + kind.name());
            if (warned.isString()) told.put(kind, Budget.Warned.valueOf(warned.asString()));
        }
        var max =
                new Amounts(
                        number(text, Amounts.Kind.TOKENS),
                        number(text, Amounts.Kind.COST_MICROS),
                        number(text, Amounts.Kind.WALL_MILLIS),
                        number(text, Amounts.Kind.RUNS),
                        number(text, Amounts.Kind.SESSIONS));
        var policy = BudgetPolicy.valueOf(text.path("policy").asString());
        return new Budget(session, max, policy, told);
    }

    private static @Nullable Long number(JsonNode text, Amounts.Kind kind) {
        return number(text, kind.name());
    }

    private static @Nullable Long number(JsonNode text, String field) {
        return text.hasNonNull(field) ? (Long) text.get(field).asLong() : null;
    }
}
