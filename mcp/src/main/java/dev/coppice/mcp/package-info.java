/** The Model Context Protocol in both of its eras: operations as tools for agents. */
@NullMarked
package dev.coppice.mcp;

import org.jspecify.annotations.NullMarked;
