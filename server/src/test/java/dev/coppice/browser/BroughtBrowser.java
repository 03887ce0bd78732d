package dev.coppice.browser;

import dev.coppice.scene.Debian;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A Chromium to test with: that of {@code COPPICE_CHROMIUM} or of this machine; else Debian's. */
final class BroughtBrowser {
    private static final List<String> NAMES =
            List.of("chromium", "chromium-browser", "google-chrome");

    /** The program, and the environment that it needs. */
    record Program(Path path, Map<String, String> environment) {}

    private BroughtBrowser() {}

    static Program find() {
        var chosen = System.getenv("COPPICE_CHROMIUM");
        if (chosen != null) return new Program(Path.of(chosen), Map.of());
        return NAMES.stream()
                .map(Debian::onThisMachine)
                .flatMap(Optional::stream)
                .findFirst()
                .map(path -> new Program(path, Map.of()))
                .orElseGet(BroughtBrowser::brought);
    }

    private static Program brought() {
        var root = Debian.unpacked("chromium", List.of("chromium", "fonts-dejavu-core"));
        var libraries = Debian.libraries(root);
        return new Program(
                root.resolve("usr/lib/chromium/chromium"),
                Map.of(
                        "LD_LIBRARY_PATH",
                        libraries + ":" + libraries.resolve("pulseaudio"),
                        "FONTCONFIG_PATH",
                        fonts(root).toString()));
    }

    private static Path fonts(Path root) {
        var installed = Path.of("/etc/fonts");
        return Files.exists(installed) ? installed : root.resolve("etc/fonts");
    }
}
