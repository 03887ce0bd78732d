package dev.coppice.web;

import dev.coppice.wire.Json;

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
    Weight JSON = (_, body) -> OF_A_VALUE * Json.values(body);

    long of(@Nullable String contentType, InputStream body) throws IOException;
}
