/** Types that every package uses: ids, refusals, bounds, and the ports to the outside. */
@NullMarked
package dev.coppice.kernel;

import org.jspecify.annotations.NullMarked;
