/** The events of agents that Coppice did not start, on the paths of the hook server. */
@NullMarked
package dev.coppice.wire.observe;

import org.jspecify.annotations.NullMarked;
