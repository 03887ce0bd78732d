package dev.coppice.operation;

import dev.coppice.kernel.Refusal;
import dev.coppice.kernel.RemovalRefusal.Objection;

/** The advice of one face for each refusal, in the terms of that face. */
public interface Advice {
    String of(Refusal refusal);

    String of(Objection.Kind kind);
}
