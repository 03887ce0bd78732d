package dev.coppice.wire;

import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.concurrent.CompletionException;

/** Words failures with their causes: the message of some exceptions of the JDK is only a path. */
public final class Reason {
    private Reason() {}

    public static String of(Throwable failure) {
        return switch (failure) {
            case AccessDeniedException e -> e.getFile() + ": permission denied";
            case NoSuchFileException e -> e.getFile() + ": no such file or directory";
            case NotDirectoryException e -> e.getFile() + ": not a directory";
            case DirectoryNotEmptyException e -> e.getFile() + ": directory not empty";
            case FileAlreadyExistsException e -> e.getFile() + ": a file has this name already";
            case UncheckedIOException e -> wrapped(e);
            case CompletionException e -> wrapped(e);
            default -> plain(failure);
        };
    }

    /** The message, unless the JDK made it from the cause, and the reason of the cause. */
    private static String wrapped(RuntimeException failure) {
        var cause = failure.getCause();
        if (cause == null) return plain(failure);
        var own = failure.getMessage();
        boolean isOwn = own != null && !own.equals(cause.toString());
        return isOwn ? own + ": " + of(cause) : of(cause);
    }

    private static String plain(Throwable failure) {
        var message = failure.getMessage();
        return message == null ? failure.getClass().getSimpleName() : message;
    }
}
