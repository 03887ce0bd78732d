/** The messages of the Model Context Protocol. Their names are in camel case. */
@NullMarked
package dev.coppice.mcp.message;

import org.jspecify.annotations.NullMarked;
