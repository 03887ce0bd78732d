/** Budgets and what was spent, on the wire. */
@NullMarked
package dev.coppice.wire.budget;

import org.jspecify.annotations.NullMarked;
