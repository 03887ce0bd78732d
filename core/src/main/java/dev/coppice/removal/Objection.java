package dev.coppice.removal;

/**
 * One thing that speaks against a removal as it was asked for: the tree is in a state in which it
 * must not be touched in this way.
 */
public record Objection(String code, String said, String advice) {}
