package dev.coppice.run;

import dev.coppice.kernel.RunnerId;

/** A runner and the fence under which it holds a run. A later claim has a higher fence. */
public record Holder(RunnerId runner, long fence) {}
