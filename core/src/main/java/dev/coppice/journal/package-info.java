/** What happened, in order, with a number that grows as things commit. */
@NullMarked
package dev.coppice.journal;

import org.jspecify.annotations.NullMarked;
