/** The few words everything uses: ids, refusals, bounds, and the ports for the world outside. */
@NullMarked
package dev.coppice.kernel;

import org.jspecify.annotations.NullMarked;
