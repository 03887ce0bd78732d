/** Deletion as tools for agents: the same operations over the Model Context Protocol. */
@NullMarked
package dev.coppice.mcp;

import org.jspecify.annotations.NullMarked;
