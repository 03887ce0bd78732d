package dev.coppice.health;

/**
 * The resource use of processes. Memory, processes and files are current; the time is the sum over
 * all runs, and {@code cpuShare} how many processors were busy between the last two samples.
 */
public record Use(
        long cpuMillis,
        double cpuShare,
        long memoryBytes,
        long memoryPeak,
        int processes,
        int openFiles) {}
