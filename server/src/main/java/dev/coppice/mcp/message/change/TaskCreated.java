package dev.coppice.mcp.message.change;

import com.fasterxml.jackson.annotation.JsonUnwrapped;

/** The answer to a request that goes on as a task. */
public record TaskCreated(@JsonUnwrapped TaskView task) {}
