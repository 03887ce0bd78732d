package dev.coppice.boot;

import dev.coppice.access.Validity;
import dev.coppice.blueprints.Registries;
import dev.coppice.fleet.Runners;
import dev.coppice.follow.Followers;
import dev.coppice.follow.Tail;
import dev.coppice.kernel.Ids;
import dev.coppice.observe.Observations;
import dev.coppice.observe.RecordObservations;
import dev.coppice.operation.TopicNotifier;
import dev.coppice.operations.Scope;
import dev.coppice.operations.fleet.FleetOperations;
import dev.coppice.operations.fleet.ReportOperations;
import dev.coppice.operations.fleet.RunnerOperations;
import dev.coppice.operations.removal.RemovalOperations;
import dev.coppice.run.Runs;

import java.time.InstantSource;

/** The parts of the server that a face of another module may use. */
public record Ground(
        Scope scope,
        RemovalOperations removals,
        Fleet fleet,
        Following following,
        Observations observations,
        RecordObservations recorder,
        Ids ids,
        InstantSource clock) {

    /** The operations of runners, and what they work on. */
    public record Fleet(
            RunnerOperations polls,
            ReportOperations reports,
            FleetOperations removals,
            Runners runners,
            Runs runs,
            Registries registries,
            TopicNotifier notifier) {}

    /** The journal, as faces follow it. */
    public record Following(Tail tail, Followers followers, Validity validity) {}
}
