package dev.coppice.wire;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

/**
 * Why a request was not done: problem+json, with the original's detail beside it. The kind is one
 * of the seed's three: {@code validation_error}, {@code security_error} (work would be lost) or
 * {@code operation_error}.
 */
public record Problem(
        String type,
        String title,
        int status,
        String code,
        String kind,
        @Nullable JsonNode detail,
        String error,
        String advice) {
    public static final String MEDIA_TYPE = "application/problem+json";

    /** The coordinator can write nothing, so no lease can change hands. */
    public static final String STORE_UNWRITABLE = "store_unwritable";
}
