/** The schedule of the sweeps. */
@NullMarked
package dev.coppice.upkeep;

import org.jspecify.annotations.NullMarked;
