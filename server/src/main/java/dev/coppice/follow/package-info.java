/** Follows the journal for all faces: one tail, one ring, and what each reader may see of it. */
@NullMarked
package dev.coppice.follow;

import org.jspecify.annotations.NullMarked;
