package dev.coppice.browser;

import dev.coppice.scene.Debian;

import org.junit.jupiter.api.Assumptions;

/** The browser of a test. */
final class Browsers {
    private Browsers() {}

    /** Skips the test if there is no browser, or fails it where nothing may be skipped. */
    static Chromium start() {
        try {
            return Chromium.start();
        } catch (Debian.Missing e) {
            if ("required".equals(System.getenv("COPPICE_PEERS"))) throw e;
            Assumptions.abort(e.getMessage());
            throw e;
        }
    }
}
