/** The rows of a tree as a page shows them: what is open, what is folded, and what is summed up. */
@NullMarked
package dev.coppice.outline;

import org.jspecify.annotations.NullMarked;
