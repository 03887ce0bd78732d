package dev.coppice.wire;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.List;
import java.util.concurrent.CompletionException;

/** A failure in one line, with its cause: the message of some exceptions is only a path. */
class ReasonTest {
    static List<Arguments> failures() {
        var missing = new NoSuchFileException("/a");
        return List.of(
                Arguments.of(missing, "/a: no such file or directory"),
                Arguments.of(new AccessDeniedException("/a"), "/a: permission denied"),
                Arguments.of(new NotDirectoryException("/a"), "/a: not a directory"),
                Arguments.of(new DirectoryNotEmptyException("/a"), "/a: directory not empty"),
                Arguments.of(
                        new FileAlreadyExistsException("/a"), "/a: a file has this name already"),
                Arguments.of(
                        new FileSystemException("/a", null, "Is a directory"),
                        "/a: Is a directory"),
                Arguments.of(new IOException("it broke"), "it broke"),
                Arguments.of(new IllegalStateException(), "IllegalStateException"),
                Arguments.of(
                        new UncheckedIOException("reading the file", missing),
                        "reading the file: /a: no such file or directory"),
                Arguments.of(new UncheckedIOException(missing), "/a: no such file or directory"),
                Arguments.of(new CompletionException(missing), "/a: no such file or directory"),
                Arguments.of(
                        new CompletionException("looking", missing),
                        "looking: /a: no such file or directory"),
                Arguments.of(
                        new CompletionException(new UncheckedIOException(missing)),
                        "/a: no such file or directory"));
    }

    @ParameterizedTest
    @MethodSource("failures")
    void a_failure_is_worded_with_its_cause(Throwable failure, String said) {
        assertThat(Reason.of(failure)).isEqualTo(said);
    }

    @Test
    void a_cause_that_has_no_message_is_named() {
        assertThat(Reason.of(new CompletionException(new InterruptedException())))
                .isEqualTo("InterruptedException");
    }
}
