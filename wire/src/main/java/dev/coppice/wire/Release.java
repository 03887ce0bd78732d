package dev.coppice.wire;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Objects;
import java.util.Properties;

/**
 * The source that this program was built from. Its version is that of {@code pom.xml}; the commit,
 * and the time of the commit, are known if the launcher built it.
 */
public record Release(String version, @Nullable String commit, @Nullable String built) {
    private static final Release OURS = read();

    public static Release ours() {
        return OURS;
    }

    private static Release read() {
        var filled = new Properties();
        try (var in = Release.class.getResourceAsStream("release.properties")) {
            filled.load(Objects.requireNonNull(in));
        } catch (IOException e) {
            throw new UncheckedIOException("reading release.properties", e);
        }
        return new Release(
                Objects.requireNonNull(filled.getProperty("version")),
                known(filled, "commit"),
                known(filled, "built"));
    }

    private static @Nullable String known(Properties filled, String name) {
        var value = filled.getProperty(name, "");
        return value.isEmpty() ? null : value;
    }
}
