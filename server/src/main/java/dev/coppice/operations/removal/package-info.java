/** Removing and restoring trees. */
@NullMarked
package dev.coppice.operations.removal;

import org.jspecify.annotations.NullMarked;
