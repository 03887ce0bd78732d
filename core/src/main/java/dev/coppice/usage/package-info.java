/** The use and the cost of calls of models. Each call counts once, however often it is reported. */
@NullMarked
package dev.coppice.usage;

import org.jspecify.annotations.NullMarked;
