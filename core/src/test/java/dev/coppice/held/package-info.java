/** Everything that is kept, kept in memory: a real store for tests and for the simulation. */
@NullMarked
package dev.coppice.held;

import org.jspecify.annotations.NullMarked;
