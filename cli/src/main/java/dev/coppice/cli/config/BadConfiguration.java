package dev.coppice.cli.config;

import org.jspecify.annotations.Nullable;

import java.nio.file.Path;

/** A configuration file cannot be used. The message names it. */
public final class BadConfiguration extends RuntimeException {
    private static final long serialVersionUID = 1;

    BadConfiguration(Path file, @Nullable String why) {
        super("%s: %s".formatted(file, why));
    }
}
