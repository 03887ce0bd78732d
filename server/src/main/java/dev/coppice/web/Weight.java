package dev.coppice.web;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.InputStream;

/**
 * Estimates how much memory the values of a body will take, in bytes, before they are made. A body
 * of four megabytes may hold a million empty objects.
 */
public interface Weight {
    /** The memory for a JSON value, or for a member of an object. */
    int OF_A_VALUE = 64;

    /** The weight of JSON, which is read into a tree. */
    Weight JSON = (_, body) -> OF_A_VALUE * values(body);

    long of(@Nullable String contentType, InputStream body) throws IOException;

    /** The number of values in JSON, or more if its texts have brackets and commas. */
    static long values(InputStream json) throws IOException {
        long found = 1;
        var piece = new byte[8_192];
        for (int n = json.read(piece); n >= 0; n = json.read(piece)) {
            for (int i = 0; i < n; i++) {
                switch (piece[i]) {
                    case ',', ':', '[', '{' -> found++;
                    default -> {
                        // Part of a value that was counted.
                    }
                }
            }
        }
        return found;
    }
}
