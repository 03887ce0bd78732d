package dev.coppice.alerts;

import dev.coppice.alert.Alert;
import dev.coppice.alert.DeliverAlerts;
import dev.coppice.kernel.Bounds;
import dev.coppice.kernel.WriteUnderWay;
import dev.coppice.view.AlertViews;
import dev.coppice.wire.Json;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Starts a command for each alert. It is started without a shell, gets the alert as JSON on its
 * input and its parts in its environment, and of the coordinator's environment only what a program
 * needs to run. What an agent wrote never becomes a part of the command line.
 */
final class CommandChannel implements DeliverAlerts.Receiver {
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final int ERROR_CHARS_MAX = 300;
    private static final List<String> PASSED_ON =
            List.of(
                    "PATH",
                    "HOME",
                    "USER",
                    "LANG",
                    "DISPLAY",
                    "WAYLAND_DISPLAY",
                    "XDG_RUNTIME_DIR",
                    "DBUS_SESSION_BUS_ADDRESS");

    private final List<String> command;
    private final Map<String, String> environment;

    CommandChannel(List<String> command, Map<String, String> environment) {
        this.command = List.copyOf(command);
        this.environment = Map.copyOf(environment);
    }

    @Override
    public @Nullable String take(Alert alert) {
        WriteUnderWay.forbid("starting a command");
        var builder = new ProcessBuilder(command).redirectOutput(Redirect.DISCARD);
        var passed = new HashMap<String, String>();
        for (var name : PASSED_ON) {
            var value = environment.get(name);
            if (value != null) passed.put(name, value);
        }
        passed.put("COPPICE_ALERT_TITLE", AlertText.title(alert));
        passed.put("COPPICE_ALERT_TEXT", AlertText.text(alert));
        passed.put("COPPICE_ALERT_KIND", AlertText.kind(alert));
        passed.put("COPPICE_ALERT_SESSION", alert.sessionName());
        builder.environment().clear();
        builder.environment().putAll(passed);
        Process process;
        try {
            process = builder.redirectError(Redirect.DISCARD).start();
        } catch (IOException e) {
            return Bounds.firstOf(String.valueOf(e.getMessage()), ERROR_CHARS_MAX);
        }
        try {
            write(process, alert);
            if (process.waitFor(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
                int exit = process.exitValue();
                return exit == 0 ? null : "the command ended with " + exit;
            }
            return "the command did not end within %d seconds".formatted(PATIENCE.toSeconds());
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return "the coordinator was shutting down";
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }

    /** A command need not read its input. */
    private static void write(Process process, Alert alert) {
        try (var out = process.getOutputStream()) {
            out.write(Json.write(AlertViews.of(alert)).getBytes(StandardCharsets.UTF_8));
        } catch (IOException _) {
            // The command has ended or closed its input.
        }
    }
}
