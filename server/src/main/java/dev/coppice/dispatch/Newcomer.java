package dev.coppice.dispatch;

import dev.coppice.fleet.Runner;
import dev.coppice.kernel.Bounds;
import dev.coppice.kernel.RunnerId;
import dev.coppice.view.Asked;
import dev.coppice.web.Rejected;
import dev.coppice.wire.Json;
import dev.coppice.wire.RegisterRequest;

import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.HexFormat;

/** A registration, read. */
final class Newcomer {
    private static final Asked ASKED = new Asked(Rejected::new);

    private Newcomer() {}

    static Runner read(RegisterRequest body, Instant now) {
        var post =
                new Runner.Post(
                        given("hostname", ASKED.label("hostname", body.hostname())),
                        given("project_dir", ASKED.path("project_dir", body.projectDir())),
                        given(
                                "executor_profile",
                                ASKED.label("executor_profile", body.executorProfile())));
        boolean ours = RegisterRequest.PROTOCOL.equals(body.protocol());
        return new Runner(
                id(post, command(body)),
                post,
                skills(body),
                ours ? Runner.Protocol.FENCED : Runner.Protocol.ORIGINAL,
                now,
                now);
    }

    private static Runner.Skills skills(RegisterRequest body) {
        var executor = ASKED.object("executor", body.executor(), Bounds.METADATA_BYTES_MAX);
        var type = Json.text(Json.read(executor.value()), "type");
        return new Runner.Skills(
                executor,
                "procedural".equals(type) ? "procedural" : "autonomous",
                ASKED.tags("tags", body.tags()),
                body.requireMatchingTags()
                        ? Runner.Matching.TAGGED_RUNS_ONLY
                        : Runner.Matching.ANY_RUN,
                capacity(body.capacity()));
    }

    private static int capacity(@Nullable Integer asked) {
        if (asked == null) return Bounds.RUNNER_CAPACITY_DEFAULT;
        if (asked < 1 || asked > Bounds.RUNNER_CAPACITY_MAX) {
            var rule = "from 1 to %d".formatted(Bounds.RUNNER_CAPACITY_MAX);
            throw ASKED.bad("capacity", asked.toString(), rule);
        }
        return asked;
    }

    private static String given(String field, @Nullable String value) {
        if (value == null) throw ASKED.bad(field, "", "given");
        return value;
    }

    private static String command(RegisterRequest body) {
        var executor = body.executor();
        var command = executor == null ? null : Json.text(executor, "command");
        return command == null ? "" : command;
    }

    /** The original's recipe, so that its runners keep their ids. */
    private static RunnerId id(Runner.Post post, String command) {
        var said =
                String.join(
                        ":", post.hostname(), post.projectDir(), post.executorProfile(), command);
        try {
            var digest = MessageDigest.getInstance("SHA-256");
            var hash =
                    HexFormat.of().formatHex(digest.digest(said.getBytes(StandardCharsets.UTF_8)));
            return new RunnerId("lnch_" + hash.substring(0, 12));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
