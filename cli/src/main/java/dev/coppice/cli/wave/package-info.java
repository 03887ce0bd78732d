/** The commands about waves. */
@NullMarked
package dev.coppice.cli.wave;

import org.jspecify.annotations.NullMarked;
