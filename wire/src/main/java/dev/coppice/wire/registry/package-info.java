/** The registries: capabilities, scripts and MCP servers. */
@NullMarked
package dev.coppice.wire.registry;

import org.jspecify.annotations.NullMarked;
