package dev.coppice.access;

import dev.coppice.kernel.SessionId;

import org.jspecify.annotations.Nullable;

/**
 * The hooks of one program. They may report only sessions that no other source reported before, and
 * the run for which Coppice started the program, if there is one.
 *
 * @param source the name of the hooks, which stays when they get a new token
 * @param run the session whose own token came with the request; null without one
 */
public record Sender(String source, @Nullable SessionId run) {}
