package dev.coppice.browser;

import dev.coppice.scene.Temporary;
import dev.coppice.wire.Json;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/** A real browser without a window. */
public final class Chromium implements AutoCloseable {
    private static final Pattern LISTENING = Pattern.compile("DevTools listening on (ws://\\S+)");
    private static final int EXIT_SECONDS_MAX = 10;

    private final Process process;
    private final DevTools devTools;

    private Chromium(Process process, URI address) {
        this.process = process;
        this.devTools = new DevTools(address);
    }

    /** Starts a browser with a profile of its own. */
    public static Chromium start() {
        var program = BroughtBrowser.find();
        var home = Temporary.directory("coppice-browser");
        var command =
                new ArrayList<>(
                        List.of(
                                program.path().toString(),
                                "--headless=new",
                                "--remote-debugging-port=0",
                                "--user-data-dir=" + home.resolve("profile"),
                                "--no-first-run",
                                "--disable-gpu",
                                "--disable-dev-shm-usage",
                                "--disable-background-networking",
                                "--disable-component-update",
                                "--disable-features=Translate,OptimizationHints,MediaRouter",
                                "--force-color-profile=srgb",
                                "--font-render-hinting=none",
                                "--hide-scrollbars",
                                // Containers and root have no sandbox; the pages are our own.
                                "--no-sandbox"));
        try {
            var builder = new ProcessBuilder(command).redirectErrorStream(true);
            builder.environment().putAll(program.environment());
            builder.environment().put("HOME", home.toString());
            var process = builder.start();
            return new Chromium(process, address(process.inputReader()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static URI address(BufferedReader said) throws IOException {
        var all = new StringBuilder();
        for (var line = said.readLine(); line != null; line = said.readLine()) {
            var found = LISTENING.matcher(line);
            if (found.find()) {
                Thread.ofVirtual().start(() -> said.lines().forEach(_ -> {}));
                return URI.create(found.group(1));
            }
            all.append(line).append('\n');
        }
        throw new AssertionError("the browser did not start: " + all);
    }

    /** Opens a page in a window of its own: it shares the storage of its origin with the others. */
    public Page open(String url) {
        return open(url, Map.of("url", "about:blank", "newWindow", true));
    }

    /** Opens a page that shares nothing with the others. */
    public Page openApart(String url) {
        var context = devTools.call(null, "Target.createBrowserContext", Map.of());
        var id = text(context, "browserContextId");
        return open(url, Map.of("url", "about:blank", "browserContextId", id));
    }

    private Page open(String url, Map<String, ?> parameters) {
        var target = devTools.call(null, "Target.createTarget", parameters);
        var attach = Map.of("targetId", text(target, "targetId"), "flatten", true);
        var attached = devTools.call(null, "Target.attachToTarget", attach);
        var page = new Page(devTools, text(attached, "sessionId"), text(target, "targetId"));
        page.goTo(url);
        return page;
    }

    private static String text(tools.jackson.databind.JsonNode node, String field) {
        return String.valueOf(Json.text(node, field));
    }

    @Override
    public void close() {
        devTools.close();
        process.destroy();
        try {
            if (!process.waitFor(EXIT_SECONDS_MAX, TimeUnit.SECONDS)) process.destroyForcibly();
        } catch (InterruptedException e) {
            process.destroyForcibly();
            throw new IllegalStateException(e);
        }
    }
}
