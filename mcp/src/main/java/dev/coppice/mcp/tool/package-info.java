/** Tools, resources and prompts, which are the operations of the coordinator. */
@NullMarked
package dev.coppice.mcp.tool;

import org.jspecify.annotations.NullMarked;
