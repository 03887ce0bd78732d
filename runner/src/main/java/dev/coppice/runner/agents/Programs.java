package dev.coppice.runner.agents;

import org.jspecify.annotations.Nullable;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/** Looks for the program of an agent as the system would, to say what is wrong before a start. */
public final class Programs {
    private Programs() {}

    /** Describes why the program cannot be started; null if it can. */
    public static @Nullable String fault(String program, @Nullable String path, Path workplace) {
        try {
            if (program.indexOf('/') >= 0) return faultOf(workplace.resolve(program), program);
            for (var directory : (path == null ? "" : path).split(File.pathSeparator, -1)) {
                var file = workplace.resolve(directory).resolve(program);
                if (Files.isExecutable(file) && !Files.isDirectory(file)) return null;
            }
        } catch (InvalidPathException _) {
            return "'%s' is not the name of a program".formatted(program);
        }
        return program + ": not found; is it installed and on the runner's PATH?";
    }

    private static @Nullable String faultOf(Path file, String program) {
        if (!Files.exists(file))
            return program + ": not found; is it installed on the runner's host?";
        if (Files.isDirectory(file)) return program + ": is a directory, not a program";
        return Files.isExecutable(file) ? null : program + ": permission denied; is it executable?";
    }
}
