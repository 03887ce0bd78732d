/** The messages that list and show tools, prompts and resources. */
@NullMarked
package dev.coppice.mcp.message.list;

import org.jspecify.annotations.NullMarked;
