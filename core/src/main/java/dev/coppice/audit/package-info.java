/** Who did what to whom, with what right and why: appended, chained, never changed. */
@NullMarked
package dev.coppice.audit;

import org.jspecify.annotations.NullMarked;
