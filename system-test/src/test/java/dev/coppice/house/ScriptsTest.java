package dev.coppice.house;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** The permitted dependencies between the scripts of the dashboard. */
class ScriptsTest {
    /** The folders from the base to the top: a script imports from its own folder or below it. */
    private static final List<String> FOLDERS = List.of("base", "parts", "pages", "top");

    private static final Pattern IMPORT = Pattern.compile("\\bfrom \"(\\.[^\"]+)\"");

    @Test
    void the_scripts_are_found() {
        assertThat(imports()).hasSizeGreaterThan(40);
    }

    @Test
    void scripts_import_from_their_own_folder_or_below_it() {
        var found = new ArrayList<String>();
        imports()
                .forEach((script, imported) -> {
                    for (var other : imported) {
                        if (rank(other) > rank(script)) found.add(script + " imports " + other);
                    }
                });
        assertThat(found).isEmpty();
    }

    /** A script that imports nothing else that is left is taken away, until only rings are left. */
    @Test
    void scripts_import_each_other_in_no_ring() {
        var left = new TreeMap<>(imports());
        while (left.entrySet().removeIf(e -> e.getValue().stream().noneMatch(left::containsKey))) {
            // Each round takes away what only imports scripts of earlier rounds.
        }
        assertThat(left).isEmpty();
    }

    private static int rank(Path script) {
        int rank = FOLDERS.indexOf(script.getName(script.getNameCount() - 2).toString());
        assertThat(rank).as(script + " is in one of " + FOLDERS).isNotNegative();
        return rank;
    }

    private static Map<Path, List<Path>> imports() {
        var all = new TreeMap<Path, List<Path>>();
        for (var file : Sources.dashboard()) {
            if (file.toString().endsWith(".js")) {
                all.put(
                        file,
                        IMPORT.matcher(Sources.text(file))
                                .results()
                                .map(found -> file.resolveSibling(found.group(1)).normalize())
                                .toList());
            }
        }
        return all;
    }
}
