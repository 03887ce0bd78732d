/** The operations about waves. */
@NullMarked
package dev.coppice.operations.wave;

import org.jspecify.annotations.NullMarked;
