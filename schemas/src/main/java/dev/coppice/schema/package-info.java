/** Checks JSON against schemas of callers, whose cost is counted and whose time is bounded. */
@NullMarked
package dev.coppice.schema;

import org.jspecify.annotations.NullMarked;
