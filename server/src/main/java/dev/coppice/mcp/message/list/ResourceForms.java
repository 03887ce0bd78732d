package dev.coppice.mcp.message.list;

import com.fasterxml.jackson.annotation.JsonProperty;

import java.util.List;

/** The answer to {@code resources/templates/list}. */
public record ResourceForms(@JsonProperty("resourceTemplates") List<?> all) {}
