/** Stores what calls of models used and cost. Each call counts once, however often it is told. */
@NullMarked
package dev.coppice.usage;

import org.jspecify.annotations.NullMarked;
