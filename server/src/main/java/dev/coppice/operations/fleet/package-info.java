/** What runners ask and report, and what people see of them. */
@NullMarked
package dev.coppice.operations.fleet;

import org.jspecify.annotations.NullMarked;
