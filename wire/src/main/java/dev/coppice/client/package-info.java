/** The HTTP and event-stream client that the runner and the command line share. */
@NullMarked
package dev.coppice.client;

import org.jspecify.annotations.NullMarked;
