/** The operations that look at many sessions at once. */
@NullMarked
package dev.coppice.operations.look;

import org.jspecify.annotations.NullMarked;
