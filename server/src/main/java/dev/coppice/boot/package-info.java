/** Builds everything by hand, starts it, and stops it in reverse. */
@NullMarked
package dev.coppice.boot;

import org.jspecify.annotations.NullMarked;
