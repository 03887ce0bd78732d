package dev.coppice.originals.family;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;

import dev.coppice.access.Need;
import dev.coppice.kernel.Ids;
import dev.coppice.kernel.JsonText;
import dev.coppice.kernel.Transactions;
import dev.coppice.originals.family.Themes.Theme;
import dev.coppice.request.Reply;
import dev.coppice.web.Exchange;
import dev.coppice.web.Route;
import dev.coppice.wire.Json;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** The colour themes of the hook server's page: it lists the public ones and adds its own. */
final class ThemeRoutes {
    private static final int THEMES_MAX = 1_000;
    private static final int THEME_CHARS_MAX = 64 * 1024;
    private static final Pattern NAME = Pattern.compile("[a-z0-9_-]{1,100}");
    private static final Pattern COLOR =
            Pattern.compile(
                    "#[0-9a-fA-F]{3}|#[0-9a-fA-F]{6}|rgba?\\([0-9 .,%]+\\)"
                            + "|transparent|black|white|red|green|blue|yellow|orange|purple|pink"
                            + "|gray|grey|brown");
    private static final List<String> COLORS =
            List.of(
                    "primary",
                    "primaryHover",
                    "primaryLight",
                    "primaryDark",
                    "bgPrimary",
                    "bgSecondary",
                    "bgTertiary",
                    "bgQuaternary",
                    "textPrimary",
                    "textSecondary",
                    "textTertiary",
                    "textQuaternary",
                    "borderPrimary",
                    "borderSecondary",
                    "borderTertiary",
                    "accentSuccess",
                    "accentWarning",
                    "accentError",
                    "accentInfo",
                    "shadow",
                    "shadowLg",
                    "hoverBg",
                    "activeBg",
                    "focusRing");

    private final Transactions transactions;
    private final Themes themes;
    private final Ids ids;
    private final InstantSource clock;

    ThemeRoutes(Transactions transactions, Themes themes, Ids ids, InstantSource clock) {
        this.transactions = transactions;
        this.themes = themes;
        this.ids = ids;
        this.clock = clock;
    }

    List<Route> routes() {
        return List.of(
                new Route(ThemeCalls.THEMES, Need.READ, this::list),
                new Route(ThemeCalls.ADD_THEME, Need.DEFINE, this::add));
    }

    /** The original's envelope. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    private record Envelope(
            boolean success,
            @Nullable Object data,
            @Nullable String error,
            @JsonProperty("validationErrors") @Nullable List<Fault> validationErrors) {
        static Envelope of(Object data) {
            return new Envelope(true, data, null, null);
        }
    }

    private record Fault(String field, String message, String code) {}

    private Reply list(Exchange x) {
        var found = transactions.read(() -> themes.published(THEMES_MAX));
        return Reply.ok(Envelope.of(found.stream().map(t -> Json.read(t.body().value())).toList()));
    }

    private Reply add(Exchange x) {
        var sent = x.json();
        var faults = faults(sent);
        if (!faults.isEmpty()) return refused(faults);
        var now = clock.instant();
        var theme = (ObjectNode) sent.deepCopy();
        var id = theme.path("id").asString("");
        theme.put("id", id.isEmpty() ? "theme_" + ids.twelveHex() : id);
        theme.put("createdAt", now.toEpochMilli()).put("updatedAt", now.toEpochMilli());
        var name = theme.get("name").asString();
        boolean isPublic = theme.path("isPublic").asBoolean(false);
        var added =
                transactions.write(() ->
                        themes.count() < THEMES_MAX
                                && themes.add(
                                        new Theme(
                                                name,
                                                isPublic,
                                                now,
                                                new JsonText(theme.toString()))));
        return added
                ? new Reply.Body(201, Envelope.of(theme))
                : refused(
                        List.of(
                                new Fault(
                                        "name",
                                        "This name is taken, or there are %d themes already"
                                                .formatted(THEMES_MAX),
                                        "DUPLICATE")));
    }

    private static Reply refused(List<Fault> faults) {
        return new Reply.Body(400, new Envelope(false, null, "Validation failed", faults));
    }

    private static List<Fault> faults(JsonNode theme) {
        var faults = new ArrayList<Fault>();
        if (!NAME.matcher(theme.path("name").asString("")).matches()) {
            var rule = "1 to 100 of a-z 0-9 - _";
            faults.add(new Fault("name", rule, "INVALID_FORMAT"));
        }
        if (theme.path("displayName").asString("").isBlank()) {
            faults.add(new Fault("displayName", "a name for people", "REQUIRED"));
        }
        if (theme.toString().length() > THEME_CHARS_MAX) {
            var rule = "at most %d characters in all".formatted(THEME_CHARS_MAX);
            faults.add(new Fault("theme", rule, "INVALID_FORMAT"));
        }
        for (var color : COLORS) {
            var value = theme.path("colors").path(color).asString("");
            var field = "colors." + color;
            if (value.isEmpty()) {
                faults.add(new Fault(field, "a color", "REQUIRED"));
            } else if (!COLOR.matcher(value).matches()) {
                faults.add(
                        new Fault(
                                field, "#RGB, #RRGGBB, rgb(), rgba() or a name", "INVALID_COLOR"));
            }
        }
        return faults;
    }
}
