package dev.coppice.house;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** The permitted dependencies between the scripts of the dashboard, and their markup. */
class ScriptsTest {
    /** The folders from the base to the top: a script imports from its own folder or below it. */
    private static final List<String> FOLDERS = List.of("vendor", "base", "parts", "pages", "top");

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

    @Test
    void tags_in_templates_have_names_and_are_closed() {
        var found = new ArrayList<String>();
        int templates = 0;
        for (var script : imports().keySet()) {
            for (var markup : Templates.in(Sources.text(script))) {
                templates++;
                for (var fault : Templates.faults(markup)) {
                    found.add(Sources.name(script) + ": " + fault);
                }
            }
        }
        assertThat(found).isEmpty();
        assertThat(templates).isGreaterThan(200);
    }

    @Test
    void faults_of_markup_are_found() {
        var script =
                """
                // `<u>`
                const found = /[`/]/;
                const all = html`<p class="${a ? `<b>` : "<i>"}">${b && html`<br />`} x</p>`;
                """;
        assertThat(Templates.in(script)).containsExactly("<br />", "<p class=\"\0\">\0 x</p>");
        for (var good : List.of("<br />", "<p class=\"\0\">\0</p>", "<p><b>x</b></p><hr />")) {
            assertThat(Templates.faults(good)).as(good).isEmpty();
        }
        for (var bad :
                List.of("<p>", "<p><b></p>", "</p>", "<\0>x</\0>", "<p>a < b</p>", "<p>x<//>")) {
            assertThat(Templates.faults(bad)).as(bad).isNotEmpty();
        }
    }

    /** The published file of htm 3.1.1, {@code dist/htm.module.js}, to which the NOTICE refers. */
    @Test
    void the_script_of_others_is_as_it_was_published() throws Exception {
        var file =
                Sources.ROOT.resolve(
                        "server/src/main/resources/dev/coppice/dashboard/vendor/htm.js");
        var digest = MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file));
        assertThat(HexFormat.of().formatHex(digest))
                .isEqualTo("ab33dd3f38059b9be4d5f5350128eefb2356639c4e0bbe9d9e8b3ba75847e9e4");
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
