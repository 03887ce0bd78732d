package dev.coppice.blueprints;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import com.networknt.schema.Error;
import com.networknt.schema.InputFormat;
import com.networknt.schema.OutputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaException;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SchemaRegistryConfig;
import com.networknt.schema.SpecificationVersion;

import dev.coppice.blueprints.CheckInTime.GivenUp;
import dev.coppice.kernel.BlueprintRefusal.Violation;
import dev.coppice.kernel.JsonText;
import dev.coppice.kernel.WriteUnderWay;
import dev.coppice.thread.Threads;
import dev.coppice.wire.Json;

import tools.jackson.databind.JsonNode;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Checks schemas with the networknt library; Draft 7 unless a schema names another. Patterns match
 * in time linear in the text. Each check has a deadline, at which it ends by itself, and its own
 * thread with a deep stack.
 */
public final class JsonSchemas {
    private static final int CACHED_MAX = 256;
    private static final int CHECKS_AT_ONCE_MAX = 4;
    private static final long STACK_BYTES = 16L * 1024 * 1024;
    private static final Duration CHECK_MAX = Duration.ofSeconds(5);
    private final Semaphore checks = new Semaphore(CHECKS_AT_ONCE_MAX, true);
    private final SchemaRegistry registry =
            SchemaRegistry.withDefaultDialect(
                    SpecificationVersion.DRAFT_7,
                    builder -> builder.schemaRegistryConfig(linear()).schemaCacheEnabled(false));

    /** Compiled schemas; the least recently used is evicted first. */
    private final Map<JsonText, Schema> compiled =
            new LinkedHashMap<>(16, 0.75f, true) {
                private static final long serialVersionUID = 1;

                @Override
                protected boolean removeEldestEntry(Map.Entry<JsonText, Schema> eldest) {
                    return size() > CACHED_MAX;
                }
            };

    private static SchemaRegistryConfig linear() {
        return SchemaRegistryConfig.builder()
                .regularExpressionFactory(text -> {
                    var pattern = Pattern.compile(text);
                    return value -> pattern.matcher(value).find();
                })
                .build();
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
        var patterns = new ArrayList<String>();
        patterns(node, patterns);
        return patterns.isEmpty() ? faults(schema, node) : patterns;
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
        var config = schema.createExecutionContext().getExecutionConfig();
        var context = new CheckInTime(config, System.nanoTime() + CHECK_MAX.toNanos());
        return schema.validate(context, value, OutputFormat.DEFAULT);
    }

    /** Finds patterns that have no linear-time match: look-ahead and back references. */
    private static void patterns(JsonNode node, List<String> faults) {
        var pattern = node.path("pattern");
        if (pattern.isString()) pattern(pattern.asString(), faults);
        node.path("patternProperties").propertyNames().forEach(p -> pattern(p, faults));
        node.forEach(below -> patterns(below, faults));
    }

    private static void pattern(String text, List<String> faults) {
        try {
            Pattern.compile(text);
        } catch (PatternSyntaxException e) {
            faults.add("pattern '%s': %s".formatted(text, e.getMessage()));
        }
    }

    private void start(Runnable check) {
        try {
            Threads.daemon("schema-check").stackSize(STACK_BYTES).start(check);
        } catch (java.lang.Error e) {
            checks.release();
            throw e;
        }
    }

    private interface Otherwise<T> {
        T because(String why);
    }

    /**
     * Throws if too many other checks are running: the value was not checked, and a retry helps.
     */
    private <T> T inTime(Supplier<T> check, Otherwise<T> otherwise) {
        WriteUnderWay.forbid("a check against a schema");
        try {
            if (!checks.tryAcquire(CHECK_MAX.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new IllegalStateException("too many schema checks at once; try again");
            }
            var answer = new CompletableFuture<T>();
            start(() -> run(check, answer));
            return answer.get();
        } catch (ExecutionException e) {
            var why = e.getCause() instanceof GivenUp given ? given.getMessage() : e.getCause();
            return otherwise.because("could not be checked: " + why);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return otherwise.because("the check was interrupted");
        }
    }

    private <T> void run(Supplier<T> check, CompletableFuture<T> answer) {
        try {
            answer.complete(check.get());
        } catch (RuntimeException | java.lang.Error e) {
            answer.completeExceptionally(e);
        } finally {
            checks.release();
        }
    }

    private static String metaSchema(JsonNode node) {
        var said = Json.text(node, "$schema");
        return said == null ? SpecificationVersion.DRAFT_7.getDialectId() : said;
    }

    private synchronized Schema compiled(JsonText schema) {
        return compiled.computeIfAbsent(
                schema, text -> registry.getSchema(text.value(), InputFormat.JSON));
    }

    /** Clients expect paths that start with a dollar sign. */
    private static String path(String pointer) {
        return pointer.startsWith("$") ? pointer : "$" + pointer.replace('/', '.');
    }
}
