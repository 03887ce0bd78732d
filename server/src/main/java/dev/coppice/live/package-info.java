/** The event stream: replay from a number, live frames, heartbeats and gaps. */
@NullMarked
package dev.coppice.live;

import org.jspecify.annotations.NullMarked;
