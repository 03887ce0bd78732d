/** The wiring: every command and sweep, built on one store. */
@NullMarked
package dev.coppice.wiring;

import org.jspecify.annotations.NullMarked;
