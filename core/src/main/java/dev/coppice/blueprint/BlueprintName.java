package dev.coppice.blueprint;

import java.util.regex.Pattern;

/** The rule for names of blueprints. A name is also the name of the blueprint's directory. */
public final class BlueprintName {
    public static final String RULE =
            "1 to 60 of A-Z a-z 0-9 _ -, beginning with a letter or digit";
    private static final Pattern SHAPE = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_-]{0,59}");

    private BlueprintName() {}

    public static boolean isValid(String name) {
        return SHAPE.matcher(name).matches();
    }
}
