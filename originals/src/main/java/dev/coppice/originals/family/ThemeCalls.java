package dev.coppice.originals.family;

import dev.coppice.wire.Call;
import dev.coppice.wire.Field;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

/** The calls of pages for their colour themes. */
final class ThemeCalls {
    public static final Call<Themes, Call.Bytes> THEMES =
            Call.get(
                            "list_themes",
                            "/api/themes",
                            Themes.class,
                            Call.Bytes.class,
                            "List the public colour themes of the hook server's page")
                    .older();
    public static final Call<NewTheme, Call.Bytes> ADD_THEME =
            Call.post(
                            "add_theme",
                            "/api/themes",
                            NewTheme.class,
                            Call.Bytes.class,
                            "Add a colour theme of the hook server's page")
                    .creates()
                    .older();

    private ThemeCalls() {}

    /** The themes of other people are never listed. */
    public record Themes(
            @Field(value = "always true", name = "isPublic") @Nullable Boolean isPublic) {}

    /** A theme as the page writes it. */
    public record NewTheme(
            @Field(
                            value = "the theme: name, displayName, colors and isPublic",
                            in = Field.In.WHOLE_BODY)
                    JsonNode theme) {}
}
