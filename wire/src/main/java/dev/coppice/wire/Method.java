package dev.coppice.wire;

/** The HTTP methods in use. */
public enum Method {
    GET,
    POST,
    PUT,
    PATCH,
    DELETE;

    /** True if requests with this method have no body. */
    public boolean isBare() {
        return this == GET || this == DELETE;
    }
}
