/** Threads that do not die silently, and loops that do not end by themselves. */
@NullMarked
package dev.coppice.thread;

import org.jspecify.annotations.NullMarked;
