/** Taking a tree away and putting it back: planned, fenced, step by step, nothing lost. */
@NullMarked
package dev.coppice.removal;

import org.jspecify.annotations.NullMarked;
