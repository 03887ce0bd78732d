/** One request of a client: how it is read, what it may ask, and where its answer goes. */
@NullMarked
package dev.coppice.mcp.call;

import org.jspecify.annotations.NullMarked;
