package dev.coppice.wire;

import org.jspecify.annotations.Nullable;

import java.time.Duration;

/** The time that a call waits for its subject to end; absent, it answers at once. */
public record Patience(
        @Field(
                        name = "wait",
                        value = "answer when it is over, or after this long",
                        example = "30s",
                        max = Sizes.PATIENCE_SECONDS_MAX,
                        in = Field.In.QUERY)
                @Nullable Length length) {
    public static final Patience NONE = new Patience(null);

    public static Patience of(Duration length) {
        return new Patience(new Length(length));
    }

    public Duration orZero() {
        return or(Duration.ZERO);
    }

    public Duration or(Duration absent) {
        return length == null ? absent : length.value();
    }
}
