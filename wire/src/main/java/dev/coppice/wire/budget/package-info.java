/** Budgets and spending on the wire. */
@NullMarked
package dev.coppice.wire.budget;

import org.jspecify.annotations.NullMarked;
