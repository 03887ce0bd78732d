/** Waves: sessions that are started and awaited together. */
@NullMarked
package dev.coppice.wave;

import org.jspecify.annotations.NullMarked;
