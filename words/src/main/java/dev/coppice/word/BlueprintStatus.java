package dev.coppice.word;

/** The states of a blueprint: sessions can start from active ones only. */
public enum BlueprintStatus {
    ACTIVE,
    INACTIVE
}
