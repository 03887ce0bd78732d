/** Benchmarks: each prints ratios against a bare baseline of the same run, with verdicts. */
@NullMarked
package dev.coppice.bench;

import org.jspecify.annotations.NullMarked;
