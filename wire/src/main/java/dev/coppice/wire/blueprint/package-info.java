/** Blueprints on the wire. */
@NullMarked
package dev.coppice.wire.blueprint;

import org.jspecify.annotations.NullMarked;
