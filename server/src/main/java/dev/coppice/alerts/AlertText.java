package dev.coppice.alerts;

import dev.coppice.alert.Alert;
import dev.coppice.kernel.Bounds;

import java.util.Locale;

/** An alert in words, for people. */
final class AlertText {
    private static final int CHARS_MAX = 500;

    private AlertText() {}

    static String kind(Alert alert) {
        return alert.kind().name().toLowerCase(Locale.ROOT);
    }

    static String title(Alert alert) {
        var said =
                switch (alert.kind()) {
                    case FAILED -> "failed";
                    case TIMED_OUT -> "timed out";
                    case LOST -> "was lost";
                    case ASKS -> "waits for you";
                    case SILENT -> "says nothing";
                    case OVER_BUDGET -> "has spent its budget";
                    case QUOTA_MET -> "met the limit of its account";
                };
        return plain("%s %s".formatted(alert.sessionName(), said));
    }

    static String text(Alert alert) {
        var reason = alert.reason();
        return plain(reason == null ? "See 'coppice open'." : reason);
    }

    /** Replaces control characters, which a terminal or a desktop would act on. */
    private static String plain(String text) {
        return Bounds.firstOf(text.replaceAll("\\p{C}", " "), CHARS_MAX);
    }
}
