package dev.coppice.dist;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** The Java of the archive: the modules that the product needs, linked by the JDK that builds. */
final class RuntimeImage {
    /** The modules of the product. */
    private static final Set<String> MODULES =
            Set.of(
                    "java.base",
                    "java.logging",
                    "java.management",
                    "java.naming",
                    "java.net.http",
                    "java.sql",
                    "jdk.management",
                    "jdk.net",
                    "jdk.unsupported");

    /**
     * Modules that libraries name and the product never reaches: desktop programs, other ways to
     * sign in to a database, scripts, a server of management.
     */
    private static final Set<String> NEVER_REACHED =
            Set.of(
                    "java.compiler",
                    "java.desktop",
                    "java.instrument",
                    "java.rmi",
                    "java.scripting",
                    "java.security.jgss",
                    "java.security.sasl",
                    "java.transaction.xa",
                    "java.xml",
                    "jdk.jfr",
                    "jdk.security.auth",
                    "jdk.security.jgss");

    private RuntimeImage() {}

    static void link(Path jdk, Path jar, Path to) throws IOException, InterruptedException {
        var unknown = new TreeSet<>(needed(jdk, jar));
        unknown.removeAll(MODULES);
        unknown.removeAll(NEVER_REACHED);
        if (!unknown.isEmpty()) {
            throw new IOException("it is not decided whether the archive has " + unknown);
        }
        Program.run(
                List.of(
                        jdk.resolve("bin/jlink").toString(),
                        "--add-modules",
                        String.join(",", new TreeSet<>(MODULES)),
                        "--strip-debug",
                        "--no-header-files",
                        "--no-man-pages",
                        "--compress=zip-0",
                        "--output",
                        to.toString()));
    }

    private static Set<String> needed(Path jdk, Path jar) throws IOException, InterruptedException {
        var printed =
                Program.run(
                        List.of(
                                jdk.resolve("bin/jdeps").toString(),
                                "--ignore-missing-deps",
                                "--multi-release",
                                "base",
                                "--print-module-deps",
                                jar.toString()));
        return Set.of(printed.strip().split(",", -1));
    }
}
