package dev.coppice.blueprints;

import dev.coppice.budget.Amounts;
import dev.coppice.registry.Fault;
import dev.coppice.wire.budget.BudgetCalls;

import org.jspecify.annotations.Nullable;

import tools.jackson.core.JsonPointer;
import tools.jackson.databind.JsonNode;

import java.math.BigDecimal;
import java.util.List;

/**
 * Reads the spending that the result of a run reports. The field {@code usage} of a blueprint has
 * JSON pointers to it. A missing or malformed value counts as nothing: agents may print anything.
 */
public final class ResultUsage {
    private static final String FIELD = "usage";
    private static final List<String> TOKENS = List.of("tokens", "input_tokens", "output_tokens");
    private static final String COST = "cost_usd";
    private static final BigDecimal MICROS = BigDecimal.valueOf(1_000_000);

    private ResultUsage() {}

    /** Refuses a malformed {@code usage}. */
    static void check(JsonNode document) {
        var usage = document.path(FIELD);
        if (usage.isMissingNode() || usage.isNull()) return;
        var rule =
                "an object with JSON pointers for %s and %s"
                        .formatted(String.join(", ", TOKENS), COST);
        if (!usage.isObject()) throw new Fault(FIELD, usage.toString(), rule);
        for (var field : usage.properties()) {
            boolean isKnown = TOKENS.contains(field.getKey()) || field.getKey().equals(COST);
            boolean isPointer =
                    field.getValue().isString() && field.getValue().asString().startsWith("/");
            if (!isKnown || !isPointer) {
                throw new Fault(FIELD + "." + field.getKey(), field.getValue().toString(), rule);
            }
        }
    }

    public static Amounts in(JsonNode document, @Nullable JsonNode told) {
        var usage = document.path(FIELD);
        if (!usage.isObject() || told == null) return Amounts.NONE;
        var tokens = BigDecimal.ZERO;
        for (var field : TOKENS)
            tokens = tokens.add(amount(usage, field, told, BudgetCalls.AMOUNT_MAX));
        var cost = amount(usage, COST, told, BudgetCalls.DOLLARS_MAX);
        boolean isNothing = tokens.signum() == 0 && cost.signum() == 0;
        if (isNothing) return Amounts.NONE;
        return Amounts.spent(tokens.longValue(), cost.multiply(MICROS).longValue(), 0);
    }

    private static BigDecimal amount(JsonNode usage, String field, JsonNode told, long max) {
        var pointer = usage.path(field);
        if (!pointer.isString()) return BigDecimal.ZERO;
        var value = told.at(JsonPointer.compile(pointer.asString()));
        if (!value.isNumber()) return BigDecimal.ZERO;
        var amount = value.decimalValue();
        boolean fits = amount.signum() >= 0 && amount.compareTo(BigDecimal.valueOf(max)) <= 0;
        return fits ? amount : BigDecimal.ZERO;
    }
}
