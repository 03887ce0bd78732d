package dev.coppice.run;

import dev.coppice.kernel.RunnerId;

/** A runner and the number under which it holds a run. A later claim has a higher number. */
public record Holder(RunnerId runner, long fence) {}
