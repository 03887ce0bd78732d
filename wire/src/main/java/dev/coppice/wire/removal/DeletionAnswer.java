package dev.coppice.wire.removal;

/** The plan of a dry run, or the result of a deletion. */
public sealed interface DeletionAnswer permits PlanView, DeletionView {}
