/** The older systems: their paths, words and databases. Nothing outside of this module needs it. */
@NullMarked
package dev.coppice.originals;

import org.jspecify.annotations.NullMarked;
