/** OpenTelemetry: what agent programs export, and the tree for other collectors. */
@NullMarked
package dev.coppice.telemetry;

import org.jspecify.annotations.NullMarked;
