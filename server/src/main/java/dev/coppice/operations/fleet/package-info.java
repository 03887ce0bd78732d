/** The operations of runners, and the views of the fleet. */
@NullMarked
package dev.coppice.operations.fleet;

import org.jspecify.annotations.NullMarked;
