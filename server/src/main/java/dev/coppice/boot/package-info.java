/** Builds the coordinator by hand, starts it, and stops it in reverse order. */
@NullMarked
package dev.coppice.boot;

import org.jspecify.annotations.NullMarked;
