package dev.coppice.http;

import dev.coppice.originals.Originals;

import java.util.Map;

/** The whole product: the server with the faces of the older systems. */
final class Product {
    private Product() {}

    static Caller caller() {
        return caller(Map.of());
    }

    static Caller caller(Map<String, String> settings) {
        return new Caller(settings, Originals.faces());
    }
}
