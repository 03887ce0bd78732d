package dev.coppice.operations;

import dev.coppice.fleet.LookAfter;
import dev.coppice.kernel.Bounds;
import dev.coppice.kernel.SessionId;

import org.jspecify.annotations.Nullable;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/**
 * Has the runners of a host look after directories of programs that Coppice does not run. {@code
 * host} is this machine, the default.
 */
public record Directories(LookAfter lookAfter, String host) {
    /** The form of a directory that a runner can look after. */
    public static final String RULE = "an absolute path without '.' and '..'";

    /** Joins the current transaction. False if the path is unusable or no runner is on the host. */
    public boolean observed(SessionId session, @Nullable String where, String directory) {
        return isUsable(directory)
                && lookAfter.directory(session, where == null ? host : where, directory);
    }

    /** The same for a directory that a caller has declared. Joins the current transaction. */
    public void declared(SessionId session, @Nullable String where, @Nullable String directory) {
        if (directory == null || !isUsable(directory)) return;
        lookAfter.workplace(session, where == null ? host : where, directory);
    }

    public static boolean isUsable(String directory) {
        if (directory.length() > Bounds.PATH_CHARS_MAX) return false;
        if (directory.chars().anyMatch(Character::isISOControl)) return false;
        try {
            var path = Path.of(directory);
            return path.isAbsolute() && path.normalize().equals(path);
        } catch (InvalidPathException _) {
            return false;
        }
    }
}
