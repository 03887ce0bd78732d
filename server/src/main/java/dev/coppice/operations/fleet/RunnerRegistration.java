package dev.coppice.operations.fleet;

import dev.coppice.blueprints.RunnerBlueprints;
import dev.coppice.fleet.Runner;
import dev.coppice.kernel.Bounds;
import dev.coppice.kernel.JsonText;
import dev.coppice.kernel.Rejected;
import dev.coppice.kernel.RequestRefusal;
import dev.coppice.kernel.RunnerId;
import dev.coppice.operations.Given;
import dev.coppice.registry.Fault;
import dev.coppice.request.Inputs;
import dev.coppice.wire.Json;
import dev.coppice.wire.Release;
import dev.coppice.wire.fleet.RegisterRequest;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.HexFormat;

/** Reads the registration of a runner. */
final class RunnerRegistration {
    /** A runner may be one step older or newer than the coordinator. */
    private static final int STEPS_APART_MAX = 1;

    private RunnerRegistration() {}

    static Runner read(RegisterRequest in, Instant now) {
        try {
            RunnerBlueprints.check(in.agents());
        } catch (Fault e) {
            throw Given.bad(e.field(), e.value(), e.rule());
        }
        var post = new Runner.Post(in.hostname(), in.projectDir(), in.executorProfile());
        var executor = executor(in.executor());
        var step = in.step();
        if (step != null && Math.abs(step - RegisterRequest.STEP) > STEPS_APART_MAX) {
            throw new Rejected(
                    new RequestRefusal.VersionsTooFarApart(
                            named(executor.version(), step),
                            named(Release.ours().version(), RegisterRequest.STEP)));
        }
        return new Runner(
                id(post, executor.command() == null ? "" : executor.command()),
                post,
                skills(in, executor),
                step != null ? Runner.Protocol.FENCED : Runner.Protocol.UNFENCED,
                now,
                now);
    }

    /** The fields of an executor that Coppice reads. */
    private record Executor(
            @Nullable String type, @Nullable String command, @Nullable String version) {}

    private static String named(@Nullable String version, int step) {
        return "%s (protocol %d)".formatted(version == null ? "of another version" : version, step);
    }

    private static Executor executor(@Nullable JsonNode given) {
        return Inputs.read(Executor.class, part -> given == null ? null : given.get(part.name()));
    }

    private static Runner.Skills skills(RegisterRequest in, Executor executor) {
        var capacity = in.capacity();
        var agents = in.agents();
        return new Runner.Skills(
                Given.object(in.executor()),
                "procedural".equals(executor.type()) ? "procedural" : "autonomous",
                Given.set(in.tags()),
                in.requireMatchingTags()
                        ? Runner.Matching.TAGGED_RUNS_ONLY
                        : Runner.Matching.ANY_RUN,
                capacity == null ? Bounds.RUNNER_CAPACITY_DEFAULT : capacity,
                agents == null ? null : new JsonText(Json.write(agents)));
    }

    /** Derives the id from the post, so that a runner keeps it. */
    private static RunnerId id(Runner.Post post, String command) {
        var key =
                String.join(
                        ":", post.hostname(), post.projectDir(), post.executorProfile(), command);
        try {
            var digest = MessageDigest.getInstance("SHA-256");
            var hash =
                    HexFormat.of().formatHex(digest.digest(key.getBytes(StandardCharsets.UTF_8)));
            return new RunnerId("lnch_" + hash.substring(0, 12));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
