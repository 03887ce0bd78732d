/** Removals, and the rows of a whole tree. */
@NullMarked
package dev.coppice.store.removal;

import org.jspecify.annotations.NullMarked;
