/** The files sessions work on: where they are, and what of them is saved nowhere else. */
@NullMarked
package dev.coppice.work;

import org.jspecify.annotations.NullMarked;
