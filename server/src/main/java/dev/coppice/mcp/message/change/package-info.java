/** The messages of requests that go on, and of changes. */
@NullMarked
package dev.coppice.mcp.message.change;

import org.jspecify.annotations.NullMarked;
