package dev.coppice.schema;

import com.networknt.schema.Error;
import com.networknt.schema.InputFormat;
import com.networknt.schema.OutputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaException;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SchemaRegistryConfig;
import com.networknt.schema.SpecificationVersion;
import com.networknt.schema.dialect.Dialect;
import com.networknt.schema.dialect.Dialects;

import dev.coppice.kernel.BlueprintRefusal.Violation;
import dev.coppice.kernel.Busy;
import dev.coppice.kernel.JsonText;
import dev.coppice.kernel.OnBehalf;
import dev.coppice.kernel.WriteUnderWay;
import dev.coppice.schema.CheckInTime.GivenUp;
import dev.coppice.thread.Threads;
import dev.coppice.wire.Json;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Checks schemas with the networknt library; Draft 7 unless a schema names another. A schema is
 * compiled only within {@link SchemaCost}. Patterns match in time linear in the text. Each check
 * has a deadline, at which it ends by itself, and its own thread with a deep stack.
 */
public final class JsonSchemas {
    static final long CACHED_BYTES_MAX = 32L * 1024 * 1024;
    private static final long STACK_BYTES = 16L * 1024 * 1024;
    private static final Duration CHECK_MAX = Duration.ofSeconds(5);

    /** How long a check may take to notice its deadline before its caller no longer waits. */
    private static final Duration NOTICE_MAX = Duration.ofSeconds(1);

    private static final List<Dialect> DIALECTS =
            Stream.of(
                            Dialects.getDraft7(),
                            Dialects.getDraft4(),
                            Dialects.getDraft6(),
                            Dialects.getDraft201909(),
                            Dialects.getDraft202012())
                    .map(known -> Dialect.builder(known).keyword(new UniqueItems()).build())
                    .toList();
    private final Duration most;
    private final Duration notice;
    private final CheckPlaces places = new CheckPlaces();
    private final SchemaRegistry registry =
            SchemaRegistry.withDialects(
                    DIALECTS,
                    builder -> builder.schemaRegistryConfig(linear()).schemaCacheEnabled(false));

    /** Compiled schemas; the least recently used is evicted first. */
    private final Map<JsonText, Compiled> compiled = new LinkedHashMap<>(16, 0.75f, true);

    private long cachedBytes;

    private record Compiled(Schema schema, long bytes) {}

    public JsonSchemas() {
        this(CHECK_MAX, NOTICE_MAX);
    }

    JsonSchemas(Duration most, Duration notice) {
        this.most = most;
        this.notice = notice;
    }

    private static SchemaRegistryConfig linear() {
        return SchemaRegistryConfig.builder().regularExpressionFactory(TimedPattern::of).build();
    }

    public List<Violation> violations(JsonText schema, JsonNode value) {
        return inTime(
                () ->
                        checked(compiled(schema), value).stream()
                                .map(error ->
                                        new Violation(
                                                path(String.valueOf(error.getInstanceLocation())),
                                                error.getMessage(),
                                                String.valueOf(error.getEvaluationPath())))
                                .toList(),
                why -> List.of(new Violation("$", why, "")));
    }

    /** Returns the errors of the schema itself; empty if it is usable. */
    public List<String> faults(JsonText schema) {
        var node = Json.read(schema.value());
        return inTime(() -> checked(schema, node), List::of);
    }

    private List<String> checked(JsonText schema, JsonNode node) {
        var shape = SchemaShape.faults(node);
        if (!shape.isEmpty()) return shape;
        var cost = new SchemaCost(node).fault();
        return cost == null ? faults(schema, node) : List.of(cost);
    }

    private List<String> faults(JsonText schema, JsonNode node) {
        try {
            var meta = registry.getSchema(SchemaLocation.of(metaSchema(node)));
            var faults = checked(meta, node).stream().map(String::valueOf).toList();
            if (faults.isEmpty()) compiled(schema).initializeValidators();
            return faults;
        } catch (SchemaException e) {
            return List.of(String.valueOf(e.getMessage()));
        }
    }

    private static List<Error> checked(Schema schema, JsonNode value) {
        var context = new CheckInTime(schema.createExecutionContext().getExecutionConfig());
        return schema.validate(context, value, OutputFormat.DEFAULT);
    }

    private void start(Runnable check, @Nullable String caller) {
        try {
            Threads.daemon("schema-check").stackSize(STACK_BYTES).start(check);
        } catch (java.lang.Error e) {
            places.give(caller);
            throw e;
        }
    }

    private interface Otherwise<T> {
        T because(String why);
    }

    /** Throws {@link Busy} when too many others are running: the value was not checked. */
    private <T> T inTime(Supplier<T> check, Otherwise<T> otherwise) {
        WriteUnderWay.forbid("a check against a schema");
        var caller = OnBehalf.caller();
        try {
            if (!places.take(caller, most)) {
                throw new Busy(
                        "%d checks against schemas are under way".formatted(CheckPlaces.PLACES));
            }
            var answer = new CompletableFuture<T>();
            start(() -> run(check, answer, caller), caller);
            long patience = most.plus(notice).toMillis();
            return answer.get(patience, TimeUnit.MILLISECONDS);
        } catch (TimeoutException _) {
            return otherwise.because("could not be checked: the check has not ended in time");
        } catch (ExecutionException e) {
            var why = e.getCause() instanceof GivenUp given ? given.getMessage() : e.getCause();
            return otherwise.because("could not be checked: " + why);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return otherwise.because("the check was interrupted");
        }
    }

    private <T> void run(Supplier<T> check, CompletableFuture<T> answer, @Nullable String caller) {
        try {
            CheckInTime.run(most, () -> answer.complete(check.get()));
        } catch (RuntimeException | java.lang.Error e) {
            answer.completeExceptionally(e);
        } finally {
            places.give(caller);
        }
    }

    private static String metaSchema(JsonNode node) {
        var said = Json.text(node, "$schema");
        return said == null ? SpecificationVersion.DRAFT_7.getDialectId() : said;
    }

    /** Compiles outside of the lock, for which other checks wait. */
    private Schema compiled(JsonText schema) {
        var known = cached(schema);
        if (known != null) return known.schema();
        var cost = new SchemaCost(Json.read(schema.value()));
        var fault = cost.fault();
        if (fault != null) throw new GivenUp(fault);
        var made = registry.getSchema(schema.value(), InputFormat.JSON);
        cache(schema, new Compiled(made, cost.bytes()));
        return made;
    }

    private synchronized @Nullable Compiled cached(JsonText schema) {
        return compiled.get(schema);
    }

    private synchronized void cache(JsonText schema, Compiled made) {
        var before = compiled.put(schema, made);
        cachedBytes += made.bytes() - (before == null ? 0 : before.bytes());
        var oldest = compiled.values().iterator();
        while (cachedBytes > CACHED_BYTES_MAX) {
            cachedBytes -= oldest.next().bytes();
            oldest.remove();
        }
    }

    synchronized long cachedBytes() {
        return cachedBytes;
    }

    /** Clients expect paths that start with a dollar sign. */
    private static String path(String pointer) {
        return pointer.startsWith("$") ? pointer : "$" + pointer.replace('/', '.');
    }
}
