package dev.coppice.runner;

import dev.coppice.runner.process.RunFile;
import dev.coppice.runner.process.Supervised;
import dev.coppice.wire.Json;
import dev.coppice.wire.event.Sentence;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;

/** The output files of an agent: its result, or the reason for its failure. */
final class Output {
    static final int RESULT_BYTES_MAX = 7 * 1024 * 1024;
    static final int ERROR_CHARS_MAX = 4000;
    private static final int LAST_LINE_BYTES = 2048;
    private static final System.Logger LOG = System.getLogger("runner");

    private Output() {}

    /** Returns the bytes printed so far to standard output and standard error together. */
    static long bytes(Supervised process) {
        return process.stdout().toFile().length() + process.stderr().toFile().length();
    }

    /** Cuts the output of a run to its first bytes: standard error first, then standard output. */
    static void cut(Supervised process, long max) {
        long error = cut(process.stderr(), max);
        cut(process.stdout(), max - error);
    }

    /** Returns how many bytes are kept. */
    private static long cut(Path file, long max) {
        try (var opened = RunFile.open(file)) {
            return opened.cut(max);
        } catch (IOException e) {
            throw new UncheckedIOException("cutting " + file, e);
        }
    }

    /** A line, and the time since something was printed. */
    record Last(String line, Duration quiet) {}

    /** The last line of the stream that was written last; null if nothing can be read in it. */
    static @Nullable Last last(Supervised process) {
        var out = process.stdout().toFile();
        var err = process.stderr().toFile();
        boolean isError =
                err.length() > 0 && (out.length() == 0 || err.lastModified() > out.lastModified());
        var newest = isError ? err : out;
        if (newest.length() == 0) return null;
        var quiet =
                Duration.ofMillis(
                        Math.max(0, InstantSource.system().millis() - newest.lastModified()));
        try (var opened = RunFile.open(newest.toPath())) {
            long from = Math.max(0, opened.size() - LAST_LINE_BYTES);
            var text = new String(opened.bytes(from, LAST_LINE_BYTES), StandardCharsets.UTF_8);
            var line = Sentence.lastLine(text);
            return line.isEmpty() ? null : new Last(line, quiet);
        } catch (IOException e) {
            LOG.log(System.Logger.Level.DEBUG, "reading the last line of " + newest, e);
            return null;
        }
    }

    static String of(Supervised process) {
        return head(process.stdout());
    }

    /** Returns the output as data; if it is not JSON, in a form for callers of scripts. */
    static JsonNode structured(Supervised process) {
        var text = of(process);
        var data = Json.valueOf(text.strip());
        if (data != null) return data;
        return Json.object()
                .put("return_code", 0)
                .put("stdout", text.strip())
                .put("stderr", tail(process.stderr()).strip());
    }

    /**
     * Returns the reason for a failure: the end of standard error, or of standard output if that is
     * blank.
     */
    static String error(Supervised process, int exit) {
        var error = tail(process.stderr());
        if (!error.isBlank()) return error.strip();
        var out = tail(process.stdout());
        return out.isBlank() ? "Process exited with code " + exit : "(stdout) " + out.strip();
    }

    private static String head(Path file) {
        try (var opened = RunFile.open(file)) {
            var text = new String(opened.bytes(0, RESULT_BYTES_MAX), StandardCharsets.UTF_8);
            var begin = begin(text);
            long all = opened.size();
            boolean isWhole = all <= RESULT_BYTES_MAX && begin.length() == text.length();
            int shown = begin.getBytes(StandardCharsets.UTF_8).length;
            return isWhole ? text : begin + "\n[cut here: %d of %d bytes]\n".formatted(shown, all);
        } catch (IOException e) {
            throw new UncheckedIOException("reading " + file, e);
        }
    }

    /**
     * Returns the longest beginning of a text that the coordinator accepts. Invalid bytes grow
     * threefold when they are decoded, and control characters grow sixfold in JSON.
     */
    private static String begin(String text) {
        long stored = 0;
        long sent = 0;
        for (int i = 0; i < text.length(); ) {
            int letter = text.codePointAt(i);
            int bytes = letter < 0x80 ? 1 : letter < 0x800 ? 2 : letter < 0x10000 ? 3 : 4;
            stored += bytes;
            sent += letter < ' ' ? 6 : letter == '"' || letter == '\\' ? 2 : bytes;
            if (stored > RESULT_BYTES_MAX || sent > 2 * RESULT_BYTES_MAX) {
                return text.substring(0, i);
            }
            i += Character.charCount(letter);
        }
        return text;
    }

    private static String tail(Path file) {
        try (var opened = RunFile.open(file)) {
            long from = Math.max(0, opened.size() - 4L * ERROR_CHARS_MAX);
            var text = new String(opened.bytes(from, 4 * ERROR_CHARS_MAX), StandardCharsets.UTF_8);
            return text.length() > ERROR_CHARS_MAX
                    ? text.substring(text.length() - ERROR_CHARS_MAX)
                    : text;
        } catch (IOException e) {
            throw new UncheckedIOException("reading " + file, e);
        }
    }
}
