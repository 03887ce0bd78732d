package dev.coppice.web;

/** The HTTP methods that routes use. */
public enum Method {
    GET,
    POST,
    PUT,
    PATCH,
    DELETE
}
