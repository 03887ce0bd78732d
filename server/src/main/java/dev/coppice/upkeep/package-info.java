/** When the sweeps run. */
@NullMarked
package dev.coppice.upkeep;

import org.jspecify.annotations.NullMarked;
