package dev.coppice.wire;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The compiled classes of what crosses a process boundary. */
public final class WireClasses {
    private WireClasses() {}

    public static List<Class<?>> all() {
        try {
            var root =
                    Path.of(Call.class.getProtectionDomain().getCodeSource().getLocation().toURI());
            var home = root.resolve("dev/coppice/wire");
            try (var files = Files.walk(home)) {
                return files.map(file -> root.relativize(file).toString())
                        .filter(name -> name.endsWith(".class") && !name.contains("Test"))
                        .map(name -> name.substring(0, name.length() - 6).replace('/', '.'))
                        .filter(name -> !name.endsWith("package-info"))
                        .<Class<?>>map(WireClasses::named)
                        .toList();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (URISyntaxException e) {
            throw new AssertionError(e);
        }
    }

    private static Class<?> named(String name) {
        try {
            return Class.forName(name);
        } catch (ClassNotFoundException e) {
            throw new AssertionError(e);
        }
    }
}
