/** Stopping: one session, or a tree from its leaves to its top. */
@NullMarked
package dev.coppice.stop;

import org.jspecify.annotations.NullMarked;
