/** Runs on the wire. */
@NullMarked
package dev.coppice.wire.run;

import org.jspecify.annotations.NullMarked;
