/** The calls about waves. */
@NullMarked
package dev.coppice.wire.wave;

import org.jspecify.annotations.NullMarked;
