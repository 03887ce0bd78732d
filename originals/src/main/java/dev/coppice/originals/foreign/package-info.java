/** Databases of the older systems, which are imported. */
@NullMarked
package dev.coppice.originals.foreign;

import org.jspecify.annotations.NullMarked;
