/** Counts the uses of models: transcripts that agents write, prices, and {@code /metrics}. */
@NullMarked
package dev.coppice.meter;

import org.jspecify.annotations.NullMarked;
