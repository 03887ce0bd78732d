package dev.coppice.store.engine;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The native library of SQLite's driver. In an archive it stands in a directory {@code native}
 * beside the jar; from other jars the driver unpacks it at each start.
 */
final class DriverLibrary {
    private DriverLibrary() {}

    /** Lets the driver load the library beside this jar, if there is one. */
    static void use() {
        // The code source of a class from a cache is the jar that the cache was made with.
        var jar = System.getProperty("java.class.path").split(File.pathSeparator, 2)[0];
        var beside = Path.of(jar).resolveSibling("native");
        if (Files.exists(beside.resolve(System.mapLibraryName("sqlitejdbc")))) {
            System.getProperties().putIfAbsent("org.sqlite.lib.path", beside.toString());
        }
    }
}
