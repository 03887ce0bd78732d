/** All collections in memory: a complete store for tests and for the simulation. */
@NullMarked
package dev.coppice.held;

import org.jspecify.annotations.NullMarked;
