/** Callbacks, joins and messages on the wire. */
@NullMarked
package dev.coppice.wire.callback;

import org.jspecify.annotations.NullMarked;
