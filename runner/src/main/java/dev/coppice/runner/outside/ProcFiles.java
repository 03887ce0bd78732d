package dev.coppice.runner.outside;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The files of a process in /proc; empty without /proc, or for another user's process. */
record ProcFiles(long pid) {
    private static final int BYTES_MAX = 256 * 1024;

    private Path at(String name) {
        return Path.of("/proc", Long.toString(pid), name);
    }

    List<String> words() {
        return parts("cmdline");
    }

    @Nullable String variable(String name) {
        var wanted = name + "=";
        for (var one : parts("environ")) {
            if (one.startsWith(wanted)) return one.substring(wanted.length());
        }
        return null;
    }

    private List<String> parts(String name) {
        try (var in = Files.newInputStream(at(name))) {
            var text = new String(in.readNBytes(BYTES_MAX), StandardCharsets.UTF_8);
            return text.isEmpty() ? List.of() : List.of(text.split("\0", -1));
        } catch (IOException _) {
            return List.of();
        }
    }

    @Nullable Path directory() {
        try {
            return Files.readSymbolicLink(at("cwd"));
        } catch (IOException _) {
            return null;
        }
    }

    /** Returns the files that the process has open. */
    List<Path> open() {
        var found = new ArrayList<Path>();
        try (var links = Files.newDirectoryStream(at("fd"))) {
            for (var link : links) {
                try {
                    found.add(Files.readSymbolicLink(link));
                } catch (IOException _) {
                    // It was closed meanwhile.
                }
            }
        } catch (IOException _) {
            return List.of();
        }
        return found;
    }
}
