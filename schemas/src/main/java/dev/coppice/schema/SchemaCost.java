package dev.coppice.schema;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

/**
 * The memory that a compiled schema takes, computed before it is compiled: a short pattern with a
 * repeat count is a program of thousands of steps.
 */
final class SchemaCost {
    private static final int VALUES_MAX = 20_000;
    private static final int PATTERNS_MAX = 1_000;
    private static final int STEPS_MAX = 30_000;

    /** Measured: a keyword with its place, and a step with its place in two queues of a match. */
    private static final long OF_A_VALUE_BYTES = 512;

    private static final long OF_A_STEP_BYTES = 192;

    private int values;
    private int patterns;
    private long steps;
    private @Nullable String fault;

    SchemaCost(JsonNode schema) {
        count(schema);
        if (values > VALUES_MAX) refuse(values, "values", VALUES_MAX);
        if (patterns > PATTERNS_MAX) refuse(patterns, "patterns", PATTERNS_MAX);
        if (steps > STEPS_MAX) {
            refuse(steps, "steps in its patterns, with their repeat counts", STEPS_MAX);
        }
    }

    /** Why the schema may not be compiled; null if it may. */
    @Nullable String fault() {
        return fault;
    }

    long bytes() {
        return OF_A_VALUE_BYTES * values + OF_A_STEP_BYTES * steps;
    }

    private void count(JsonNode node) {
        values++;
        var pattern = node.path("pattern");
        if (pattern.isString()) pattern(pattern.asString());
        node.path("patternProperties").propertyNames().forEach(this::pattern);
        node.forEach(this::count);
    }

    /** A pattern is tried only while the schema is within its limits. */
    private void pattern(String text) {
        patterns++;
        long size = PatternSize.steps(text);
        steps += size;
        boolean isWithin = patterns <= PATTERNS_MAX && steps <= STEPS_MAX;
        if (fault == null && (isWithin || size > TimedPattern.STEPS_MAX)) {
            fault = TimedPattern.fault(text, size);
        }
    }

    private void refuse(long found, String what, int max) {
        if (fault == null) {
            fault = "the schema has %d %s; the limit is %d".formatted(found, what, max);
        }
    }
}
