package dev.coppice.wire;

import java.util.EnumSet;
import java.util.Set;

/**
 * An operation of the API: its name, method and path, the records of its request and answer, and a
 * sentence. The server's routes, the typed client, OpenAPI, MCP tools and the reference pages are
 * derived from it.
 */
public record Call<I extends Record, O>(
        String name,
        Method method,
        String path,
        Class<I> input,
        Class<O> output,
        String says,
        Set<Trait> traits) {
    public Call {
        traits = Set.copyOf(traits);
    }

    /** Properties that a caller has to know. */
    public enum Trait {
        /** Answers 201. */
        CREATES,
        /** A request with the same Idempotency-Key repeats the first answer. */
        REPEATABLE,
        DESTRUCTIVE,
        /** May take minutes; with {@code wait} the answer comes when it is done. */
        LONG,
        /** The audit records each request: the caller, the input and the outcome. */
        AUDITED,
        /** A path of the older systems, whose clients expect their statuses and shapes there. */
        OLDER
    }

    public static <I extends Record, O> Call<I, O> get(
            String name, String path, Class<I> input, Class<O> output, String says) {
        return new Call<>(name, Method.GET, path, input, output, says, Set.of());
    }

    public static <I extends Record, O> Call<I, O> post(
            String name, String path, Class<I> input, Class<O> output, String says) {
        return new Call<>(name, Method.POST, path, input, output, says, Set.of());
    }

    public Call<I, O> by(Method other) {
        return new Call<>(name, other, path, input, output, says, traits);
    }

    public Call<I, O> creates() {
        return with(Trait.CREATES);
    }

    public Call<I, O> repeatable() {
        return with(Trait.REPEATABLE);
    }

    public Call<I, O> destructive() {
        return with(Trait.DESTRUCTIVE);
    }

    public Call<I, O> takesLong() {
        return with(Trait.LONG);
    }

    public Call<I, O> older() {
        return with(Trait.OLDER);
    }

    public Call<I, O> audited() {
        return with(Trait.AUDITED);
    }

    public boolean is(Trait trait) {
        return traits.contains(trait);
    }

    private Call<I, O> with(Trait trait) {
        var more = EnumSet.of(trait);
        more.addAll(traits);
        return new Call<>(name, method, path, input, output, says, more);
    }

    /** The place of this field in a request. */
    public Where where(Shape.Part part) {
        if (path.contains("{" + part.name() + "}")) return Where.PATH;
        return switch (part.field().in()) {
            case QUERY -> Where.QUERY;
            case WHOLE_BODY -> Where.WHOLE_BODY;
            case USUAL, EITHER -> method.isBare() ? Where.QUERY : Where.BODY;
        };
    }

    /** The places of a request. */
    public enum Where {
        PATH,
        QUERY,
        BODY,
        WHOLE_BODY
    }

    /** The request of an operation that needs no input. */
    public record Nothing() {}

    /** An answer without a body: 204. */
    public record Empty() {}

    /** The answer is a file. */
    public record Bytes() {}

    /** The answer is a stream of events or lines that may never end. */
    public record Stream() {}

    /** An answer that determines its HTTP status. */
    public interface WithStatus {
        int httpStatus();
    }
}
