package dev.coppice.health;

import dev.coppice.kernel.JsonText;
import dev.coppice.kernel.SessionId;

import java.time.Instant;

/**
 * A question to a person that is open: the last event of a live session.
 *
 * @param event the number of the event
 */
public record Question(SessionId session, long event, String type, Instant at, JsonText body) {}
