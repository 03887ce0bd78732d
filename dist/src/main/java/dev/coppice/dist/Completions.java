package dev.coppice.dist;

import dev.coppice.cli.Main;
import dev.coppice.cli.engine.Console;

import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/** The completion scripts, where each shell looks for those of installed programs. */
final class Completions {
    static final Map<String, String> FILES =
            Map.of(
                    "bash", "share/bash-completion/completions/coppice",
                    "zsh", "share/zsh/site-functions/_coppice",
                    "fish", "share/fish/vendor_completions.d/coppice.fish");

    private Completions() {}

    static String script(String shell) {
        var printed = new ByteArrayOutputStream();
        var out = new PrintStream(printed, true, StandardCharsets.UTF_8);
        var console = new Console(Map.of(), InputStream.nullInputStream(), out, out);
        Main.run(List.of("completion", shell), console);
        return printed.toString(StandardCharsets.UTF_8);
    }
}
