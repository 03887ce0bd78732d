package dev.coppice.telemetry;

import dev.coppice.boot.Face;
import dev.coppice.boot.Ground;
import dev.coppice.web.Route;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.List;

/** OpenTelemetry, as a face of the server: the receiver, and the export to a collector. */
public final class TelemetryFace implements Face {
    private final OtlpRoutes receiver;
    private final @Nullable ExportTrees export;

    private TelemetryFace(Ground ground) {
        var usage = ground.usage();
        this.receiver = new OtlpRoutes(usage.ports(), ground.recorder(), usage.record());
        var collector = usage.collector();
        this.export =
                collector == null
                        ? null
                        : new ExportTrees(usage.ports(), usage.exports(), usage.uses(), collector);
    }

    public static Face on(Ground ground) {
        return new TelemetryFace(ground);
    }

    @Override
    public List<Route> routes() {
        return receiver.routes();
    }

    @Override
    public List<Routine> routines() {
        if (export == null) return List.of();
        return List.of(new Routine("otlp-export", Duration.ofSeconds(2), export::sweep));
    }

    @Override
    public void close() {
        if (export != null) export.close();
    }
}
