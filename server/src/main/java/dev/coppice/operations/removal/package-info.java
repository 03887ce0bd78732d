/** The operations that remove and restore trees. */
@NullMarked
package dev.coppice.operations.removal;

import org.jspecify.annotations.NullMarked;
