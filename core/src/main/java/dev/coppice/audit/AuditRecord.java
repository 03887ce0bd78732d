package dev.coppice.audit;

/** An act in its place in the chain: each record holds the hash of the one before. */
public record AuditRecord(long number, Act act, String previous, String hash) {}
