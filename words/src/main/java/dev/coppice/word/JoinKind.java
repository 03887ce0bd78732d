package dev.coppice.word;

/** The number of ended children that a join waits for. */
public enum JoinKind {
    ALL,
    ANY,
    SOME,
    FIRST_SUCCESS
}
