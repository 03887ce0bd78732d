/** Benchmarks: each a ratio against something bare in the same run, with a verdict. */
@NullMarked
package dev.coppice.bench;

import org.jspecify.annotations.NullMarked;
