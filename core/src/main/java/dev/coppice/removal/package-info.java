/** Removal and restore of trees: planned, fenced, in recorded steps, without loss of work. */
@NullMarked
package dev.coppice.removal;

import org.jspecify.annotations.NullMarked;
