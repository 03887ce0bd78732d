package dev.coppice.runner.drive.dialect;

/** A message to the session: a word for its turn, or the answer to a question. */
public record Message(String id, String text) {}
