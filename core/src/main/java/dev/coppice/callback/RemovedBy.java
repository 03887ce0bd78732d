package dev.coppice.callback;

/** The removal that settles callbacks, and its reason in words. */
public record RemovedBy(String removal, String why) {}
