/** Deletion as a tool for agents: the same routes, in the words of the Model Context Protocol. */
@NullMarked
package dev.coppice.mcp;

import org.jspecify.annotations.NullMarked;
