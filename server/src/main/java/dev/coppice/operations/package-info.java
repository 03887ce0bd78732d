/** The operations of callers, one file per noun: from the input to the outcome. */
@NullMarked
package dev.coppice.operations;

import org.jspecify.annotations.NullMarked;
