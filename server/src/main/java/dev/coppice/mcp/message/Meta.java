package dev.coppice.mcp.message;

import com.fasterxml.jackson.annotation.JsonProperty;

/** Metadata of every result in the stateless era. */
public record Meta(@JsonProperty(Meta.PREFIX + "serverInfo") Server serverInfo) {
    /** The prefix of the protocol's own names. */
    public static final String PREFIX = "io.modelcontextprotocol/";
}
