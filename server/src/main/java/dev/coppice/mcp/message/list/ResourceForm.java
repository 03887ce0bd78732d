package dev.coppice.mcp.message.list;

import com.fasterxml.jackson.annotation.JsonProperty;

import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/** The form of the addresses of some resources. */
@JsonNaming(PropertyNamingStrategies.LowerCamelCaseStrategy.class)
public record ResourceForm(
        @JsonProperty("uriTemplate") String uri,
        String name,
        String description,
        String mimeType) {}
