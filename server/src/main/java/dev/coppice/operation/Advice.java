package dev.coppice.operation;

import static java.util.stream.Collectors.joining;

import dev.coppice.kernel.Refusal;
import dev.coppice.kernel.RemovalRefusal.Objection;

import java.util.List;

/** The advice of one face for each refusal, in the terms of that face. */
public interface Advice {
    /** A face on which callers start sessions. */
    enum Face {
        REST,
        MCP
    }

    Face face();

    String of(Refusal refusal);

    String of(Objection.Kind kind);

    /** Joins the advice for several objections; equal sentences appear once. */
    default String of(List<Objection> objections) {
        return objections.stream().map(o -> of(o.kind())).distinct().collect(joining(" "));
    }
}
