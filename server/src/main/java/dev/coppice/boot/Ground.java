package dev.coppice.boot;

import dev.coppice.access.Validity;
import dev.coppice.blueprints.Registries;
import dev.coppice.fleet.Runners;
import dev.coppice.follow.Followers;
import dev.coppice.follow.Tail;
import dev.coppice.kernel.Ids;
import dev.coppice.observe.Exports;
import dev.coppice.observe.Observations;
import dev.coppice.observe.RecordObservations;
import dev.coppice.operations.Scope;
import dev.coppice.operations.fleet.FleetOperations;
import dev.coppice.operations.fleet.ReportOperations;
import dev.coppice.operations.fleet.RunnerOperations;
import dev.coppice.operations.removal.RemovalOperations;
import dev.coppice.request.TopicNotifier;
import dev.coppice.run.Ports;
import dev.coppice.run.Runs;
import dev.coppice.usage.ModelUses;
import dev.coppice.usage.RecordUse;

import org.jspecify.annotations.Nullable;

import java.net.URI;
import java.time.InstantSource;
import java.util.Map;

/** The parts of the server that a face of another module may use. */
public record Ground(
        Scope scope,
        RemovalOperations removals,
        Fleet fleet,
        Following following,
        Observations observations,
        RecordObservations recorder,
        Usage usage,
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

    /** The uses of models, and the collector to which ended sessions are sent. */
    public record Usage(
            Ports ports,
            RecordUse record,
            ModelUses uses,
            Exports exports,
            @Nullable Collector collector) {}

    /** The collector of OpenTelemetry, and the headers that it wants, which may be secret. */
    public record Collector(URI traces, Map<String, String> headers) {
        public Collector {
            headers = Map.copyOf(headers);
        }

        @Override
        public String toString() {
            return traces.toString();
        }
    }

    /** The journal, as faces follow it. */
    public record Following(Tail tail, Followers followers, Validity validity) {}
}
