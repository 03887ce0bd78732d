package dev.coppice.store;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * A statement with named parameters, parsed once. This is a few lines here instead of a library,
 * because statements must stay prepared on their connection: preparing most of them costs SQLite
 * more than executing them.
 */
record Sql(String named, String text, List<String> names) {
    private static final Pattern NAME = Pattern.compile("(?<!:):([a-z][a-z_0-9]*)");

    static Sql of(String named) {
        var names = new ArrayList<String>();
        var matcher = NAME.matcher(named);
        while (matcher.find()) names.add(matcher.group(1));
        return new Sql(named, matcher.replaceAll("?"), List.copyOf(names));
    }
}
