/** The steps of a removal, from the fence to the purge. */
@NullMarked
package dev.coppice.removal.step;

import org.jspecify.annotations.NullMarked;
