/** The event stream: replay from a number, follow, heartbeat, gaps. */
@NullMarked
package dev.coppice.live;

import org.jspecify.annotations.NullMarked;
