/** Stopping one session, or a tree from its leaves to its top; freezing and thawing trees. */
@NullMarked
package dev.coppice.stop;

import org.jspecify.annotations.NullMarked;
