package dev.coppice.boot;

import dev.coppice.kernel.Ids;
import dev.coppice.observe.Observations;
import dev.coppice.observe.RecordObservations;
import dev.coppice.operations.Scope;
import dev.coppice.operations.removal.RemovalOperations;

import java.time.InstantSource;

/** The parts of the server that a face of another module may use. */
public record Ground(
        Scope scope,
        RemovalOperations removals,
        Observations observations,
        RecordObservations recorder,
        Ids ids,
        InstantSource clock) {}
