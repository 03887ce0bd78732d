package dev.coppice.operations;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;

/** Maps an enum of the wire to the equal enum of the domain. Fails at start if they differ. */
public final class Mirror<W extends Enum<W>, D extends Enum<D>> {
    private final Class<D> domain;

    private Mirror(Class<D> domain) {
        this.domain = domain;
    }

    public static <W extends Enum<W>, D extends Enum<D>> Mirror<W, D> of(
            Class<W> wire, Class<D> domain) {
        if (!names(wire).equals(names(domain))) {
            throw new IllegalStateException(wire + " and " + domain + " have different constants");
        }
        return new Mirror<>(domain);
    }

    private static java.util.List<String> names(Class<? extends Enum<?>> type) {
        return Arrays.stream(type.getEnumConstants()).map(Enum::name).sorted().toList();
    }

    public D of(W word) {
        return Enum.valueOf(domain, word.name());
    }

    public @Nullable D orNull(@Nullable W word) {
        return word == null ? null : of(word);
    }
}
