package dev.coppice.runner.unsaved;

import dev.coppice.wire.ErrandAnswer;
import dev.coppice.wire.ErrandOrder;

import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** The refs under which work was kept, in the repositories of an order. */
final class Refs {
    private static final String ALL = "refs/coppice/preserved/";
    private final ErrandOrder order;

    Refs(ErrandOrder order) {
        this.order = order;
    }

    /** Each repository that has any, with all of them. */
    List<ErrandAnswer.Item> items() {
        var tops = new LinkedHashSet<Path>();
        for (var place : order.places()) {
            var top = top(Path.of(place.directory()));
            if (top != null) tops.add(top);
        }
        var items = new ArrayList<ErrandAnswer.Item>();
        for (var top : tops) {
            var refs = in(top);
            if (!refs.isEmpty()) items.add(ErrandAnswer.Item.refs(top.toString(), refs));
        }
        return items;
    }

    /** Without asking git: there may be thousands of places, and few repositories. */
    private static @Nullable Path top(Path directory) {
        for (var at = directory; at != null; at = at.getParent()) {
            if (Files.exists(at.resolve(".git"))) return at;
        }
        return null;
    }

    private static List<String> in(Path directory) {
        var said = Git.in(directory).tryText("for-each-ref", "--format=%(refname)", ALL);
        return said == null ? List.of() : said.lines().filter(line -> !line.isBlank()).toList();
    }

    /** Those of the order's removal, wherever it may have kept anything. */
    void takeAway() {
        var its = "/%s/".formatted(order.removalId());
        for (var directory : directories()) {
            var updates =
                    in(directory).stream()
                            .filter(ref -> ref.contains(its))
                            .map("delete %s\n"::formatted)
                            .collect(Collectors.joining());
            if (updates.isEmpty()) continue;
            Git.in(directory)
                    .text(updates.getBytes(StandardCharsets.UTF_8), "update-ref", "--stdin");
        }
    }

    /** What was kept lies in the places themselves and in repositories inside them. */
    private Set<Path> directories() {
        var found = new LinkedHashSet<Path>();
        for (var finding : Findings.of(order)) {
            if (finding instanceof Finding.InGit) found.add(finding.directory());
        }
        return found;
    }
}
