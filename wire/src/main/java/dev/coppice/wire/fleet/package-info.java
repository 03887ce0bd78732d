/** The protocol between runners and coordinator, and runners as callers see them. */
@NullMarked
package dev.coppice.wire.fleet;

import org.jspecify.annotations.NullMarked;
