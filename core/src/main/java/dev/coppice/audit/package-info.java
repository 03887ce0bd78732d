/** The audit: acts with their caller, right and reason; appended, chained, never changed. */
@NullMarked
package dev.coppice.audit;

import org.jspecify.annotations.NullMarked;
