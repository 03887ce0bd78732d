package dev.coppice.browser;

import dev.coppice.scene.Eventually;
import dev.coppice.wire.Json;

import tools.jackson.databind.JsonNode;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

/** A page in a browser: what a person sees and does. */
public final class Page {
    /** The keys that are more than a letter, with their codes. */
    private static final Map<String, Integer> KEYS =
            Map.of(
                    "Enter",
                    13,
                    "Escape",
                    27,
                    "Tab",
                    9,
                    "ArrowDown",
                    40,
                    "ArrowUp",
                    38,
                    "ArrowLeft",
                    37,
                    "ArrowRight",
                    39,
                    "End",
                    35,
                    "Home",
                    36,
                    "PageDown",
                    34);

    /** All text that is shown; a page that only begins to load has no body. */
    private static final String SHOWN = "(document.body?.innerText ?? '')";

    private final DevTools devTools;
    private final String session;
    private final String target;
    private final Map<String, String> preferences = new LinkedHashMap<>();
    private final List<String> complaints = new CopyOnWriteArrayList<>();

    Page(DevTools devTools, String session, String target) {
        this.devTools = devTools;
        this.session = session;
        this.target = target;
        devTools.read(session, this::take);
        for (var domain : List.of("Page", "Runtime", "Log")) call(domain + ".enable", Map.of());
    }

    private JsonNode call(String method, Map<String, ?> parameters) {
        return devTools.call(session, method, parameters);
    }

    private void take(JsonNode event) {
        var parameters = event.path("params");
        switch (String.valueOf(Json.text(event, "method"))) {
            case "Runtime.exceptionThrown" ->
                    complaints.add(parameters.path("exceptionDetails").toString());
            case "Runtime.consoleAPICalled" -> {
                if ("error".equals(Json.text(parameters, "type"))) {
                    complaints.add(parameters.path("args").toString());
                }
            }
            case "Log.entryAdded" -> {
                var entry = parameters.path("entry");
                if ("error".equals(Json.text(entry, "level"))) complaints.add(entry.toString());
            }
            default -> {
                // Other events tell nothing of faults.
            }
        }
    }

    /**
     * Exceptions, refused requests and violations of the page's policy, as the console has them.
     */
    public List<String> complaints() {
        return List.copyOf(complaints);
    }

    /** Forgets complaints that a test has caused on purpose. */
    public void forget(String words) {
        complaints.removeIf(complaint -> complaint.contains(words));
    }

    public void close() {
        devTools.call(null, "Target.closeTarget", Map.of("targetId", target));
    }

    public void goTo(String url) {
        call("Page.navigate", Map.of("url", url));
    }

    public void reload() {
        call("Page.reload", Map.of());
    }

    /** Loads everything, as a browser does that has never been here. */
    public void goToCold(String url) {
        call("Network.clearBrowserCache", Map.of());
        goTo("about:blank");
        goTo(url);
    }

    /** The value of an expression; promises are awaited. */
    public JsonNode evaluate(String expression) {
        var answer =
                call(
                        "Runtime.evaluate",
                        Map.of(
                                "expression", expression,
                                "awaitPromise", true,
                                "returnByValue", true));
        if (answer.has("exceptionDetails")) {
            throw new AssertionError(expression + ": " + answer.get("exceptionDetails"));
        }
        return answer.path("result").path("value");
    }

    public boolean is(String expression) {
        return evaluate("Boolean(" + expression + ")").asBoolean();
    }

    /** All text that is shown. */
    public String text() {
        return evaluate(SHOWN).asString();
    }

    public void await(String expression) {
        Eventually.await(
                () -> is(expression),
                () -> expression + " is not so; the page shows:\n" + text() + "\n" + complaints());
    }

    public void awaitText(String text) {
        await(SHOWN + ".includes(%s)".formatted(Json.write(text)));
    }

    public void awaitNoText(String text) {
        await("!" + SHOWN + ".includes(%s)".formatted(Json.write(text)));
    }

    /** Clicks on the first element with these words that can be clicked. */
    public void click(String words) {
        var element =
                """
                [...document.querySelectorAll("button, a, summary, [role=treeitem], label")]
                  .find(e => e.checkVisibility() && (e.innerText.trim() === %1$s
                    || e.getAttribute("aria-label") === %1$s))\
                """
                        .formatted(Json.write(words));
        await(element);
        clickOn(element);
    }

    /**
     * Clicks in the middle of an element that has come to rest, as a mouse does: what covers it
     * gets the click.
     */
    public void clickOn(String element) {
        var middle =
                evaluate(
                        """
                        (async () => {
                          let before = "";
                          for (;;) {
                            const element = %s;
                            element.scrollIntoView({ block: "nearest" });
                            const box = element.getBoundingClientRect();
                            const now = JSON.stringify(box);
                            if (now === before && !element.disabled) {
                              return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
                            }
                            before = now;
                            await new Promise(requestAnimationFrame);
                          }
                        })()
                        """
                                .formatted(element));
        for (var type : List.of("mousePressed", "mouseReleased")) {
            call(
                    "Input.dispatchMouseEvent",
                    Map.of(
                            "type",
                            type,
                            "x",
                            middle.get("x").asDouble(),
                            "y",
                            middle.get("y").asDouble(),
                            "button",
                            "left",
                            "clickCount",
                            1));
        }
    }

    /** Chooses a value of the list with this label. */
    public void choose(String label, String value) {
        var list = "document.querySelector('select[aria-label=%s]')".formatted(Json.write(label));
        await(list);
        evaluate(
                """
                (() => {
                  const list = %s;
                  list.value = %s;
                  list.dispatchEvent(new Event("change", { bubbles: true }));
                })()
                """
                        .formatted(list, Json.write(value)));
    }

    /** Types a text into the element that has the focus. */
    public void type(String text) {
        call("Input.insertText", Map.of("text", text));
    }

    /** Presses keys one after the other. */
    public void press(String... keys) {
        for (var key : keys) {
            var isNamed = KEYS.containsKey(key);
            int code = isNamed ? KEYS.get(key) : key.toUpperCase(java.util.Locale.ROOT).charAt(0);
            var down =
                    Map.of(
                            "type",
                            "keyDown",
                            "key",
                            key,
                            "windowsVirtualKeyCode",
                            code,
                            "text",
                            isNamed ? (key.equals("Enter") ? "\r" : "") : key);
            call("Input.dispatchKeyEvent", down);
            call(
                    "Input.dispatchKeyEvent",
                    Map.of("type", "keyUp", "key", key, "windowsVirtualKeyCode", code));
        }
    }

    public void resize(int width, int height) {
        call(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", false));
    }

    /** A preference of the person, such as {@code prefers-color-scheme} and {@code dark}. */
    public void prefer(String feature, String value) {
        preferences.put(feature, value);
        var features =
                preferences.entrySet().stream()
                        .map(one -> Map.of("name", one.getKey(), "value", one.getValue()))
                        .toList();
        call("Emulation.setEmulatedMedia", Map.of("features", features));
    }

    /** The memory of the page's objects, after a collection. */
    public double megabytes() {
        call("HeapProfiler.collectGarbage", Map.of());
        return call("Runtime.getHeapUsage", Map.of()).get("usedSize").asDouble() / (1 << 20);
    }

    /** Lets a tool for accessibility work in the page, whose policy keeps tools out. */
    public void ignorePolicy() {
        call("Page.setBypassCSP", Map.of("enabled", true));
        reload();
    }

    public void picture(Path to) {
        var data = Json.text(call("Page.captureScreenshot", Map.of("format", "png")), "data");
        try {
            Files.createDirectories(to.getParent());
            Files.write(to, Base64.getDecoder().decode(String.valueOf(data)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
