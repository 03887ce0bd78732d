/** Budgets: what a tree may spend, and what each session has spent. */
@NullMarked
package dev.coppice.budget;

import org.jspecify.annotations.NullMarked;
