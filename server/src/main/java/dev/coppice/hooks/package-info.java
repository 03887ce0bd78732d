/** The face for agents that Coppice did not start: the paths and shapes of the hook server. */
@NullMarked
package dev.coppice.hooks;

import org.jspecify.annotations.NullMarked;
