package dev.coppice.store.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * A statement with named parameters, parsed once. Not taken from a library, because statements must
 * stay prepared on their connection: for SQLite, preparing most of them costs more than executing
 * them.
 */
public record Sql(String named, String text, List<String> names) {
    private static final Pattern NAME = Pattern.compile("(?<!:):([a-z][a-z_0-9]*)");

    public static Sql of(String named) {
        var names = new ArrayList<String>();
        var matcher = NAME.matcher(named);
        while (matcher.find()) names.add(matcher.group(1));
        return new Sql(named, matcher.replaceAll("?"), List.copyOf(names));
    }

    /** The statement with more at its end. */
    public Sql followedBy(String more) {
        return of(named + " " + more);
    }
}
