package dev.coppice.request;

import static java.util.stream.Collectors.joining;

import dev.coppice.kernel.Refusal;
import dev.coppice.kernel.RemovalRefusal.RemovalForbidden;
import dev.coppice.wire.Code;
import dev.coppice.wire.Shape;

/** The words of a face for its advice, from the table of refusals. */
public enum Wording {
    REST,
    MCP;

    /** Returns what to do about a refusal. Equal advice for several objections appears once. */
    public String advice(Refusal refusal) {
        if (refusal instanceof RemovalForbidden(_, var objections)) {
            return objections.stream().map(o -> advice(o.kind())).distinct().collect(joining(" "));
        }
        var cause = refusal.cause();
        return cause == null ? filled(row(refusal.code()), refusal) : advice(cause);
    }

    /** Returns what to do about an objection to a removal, or a cause, which have rows too. */
    public String advice(Enum<?> cause) {
        return row(Shape.word(cause));
    }

    private String row(String code) {
        var row = Code.named(code);
        return switch (this) {
            case REST -> row.rest();
            case MCP -> row.tool();
        };
    }

    /** Puts the components of the refusal where the advice names them. */
    private static String filled(String advice, Refusal refusal) {
        if (!advice.contains("{")) return advice;
        var filled = advice;
        for (var part : Shape.of(refusal.getClass()).parts()) {
            filled = filled.replace("{" + part.name() + "}", String.valueOf(part.of(refusal)));
        }
        return filled;
    }
}
