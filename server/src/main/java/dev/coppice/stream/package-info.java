/** The event stream: replay from a number, live frames, heartbeats and gaps. */
@NullMarked
package dev.coppice.stream;

import org.jspecify.annotations.NullMarked;
