package dev.coppice.session;

/** A session above a newcomer, with what it allows and what already lives below it. */
public record Ancestor(Session session, int livingChildren, int livingBelow) {}
