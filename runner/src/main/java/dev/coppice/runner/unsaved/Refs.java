package dev.coppice.runner.unsaved;

import dev.coppice.wire.ErrandAnswer;
import dev.coppice.wire.ErrandOrder;

import org.jspecify.annotations.Nullable;

import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** The refs under which work was kept, in the repositories of an order. */
final class Refs {
    private static final String ALL = "refs/coppice/preserved/";
    private static final int REMOVAL_PART = 4;
    private final ErrandOrder order;

    Refs(ErrandOrder order) {
        this.order = order;
    }

    /** Each repository that has any, with all of them; work trees of one share their refs. */
    List<ErrandAnswer.Item> items() {
        var items = new ArrayList<ErrandAnswer.Item>();
        var seen = new HashSet<String>();
        for (var top : tops()) {
            var common = Git.in(top).tryText("rev-parse", "--git-common-dir");
            if (common == null || !seen.add(top.resolve(common).normalize().toString())) continue;
            var refs = in(top);
            if (!refs.isEmpty()) items.add(ErrandAnswer.Item.listed(top.toString(), "refs", refs));
        }
        return items;
    }

    private Set<Path> tops() {
        var tops = new LinkedHashSet<Path>();
        for (var place : order.places()) {
            var top = top(Path.of(place.directory()));
            if (top != null) tops.add(top);
        }
        return tops;
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

    /** Whether one of them has some of the order's. */
    boolean areIn(List<Path> repositories) {
        return repositories.stream()
                .flatMap(r -> in(r).stream())
                .anyMatch(r -> isOf(order.mark(), r));
    }

    /** Those of the order's removal; what cannot be done in one repository holds up no other. */
    void takeAway() {
        takeAway(tops(), order.mark());
    }

    static void takeAway(Collection<Path> repositories, String mark) {
        RuntimeException failed = null;
        for (var repository : repositories) {
            try {
                takeAway(repository, mark);
            } catch (Git.Failed | UncheckedIOException e) {
                failed = e;
            }
        }
        if (failed != null) throw failed;
    }

    void takeAway(Path repository) {
        takeAway(repository, order.mark());
    }

    private static void takeAway(Path repository, String mark) {
        var updates =
                in(repository).stream()
                        .filter(ref -> isOf(mark, ref))
                        .map("delete %s\n"::formatted)
                        .collect(Collectors.joining());
        if (updates.isEmpty()) return;
        Git.in(repository).text(updates.getBytes(StandardCharsets.UTF_8), "update-ref", "--stdin");
    }

    /** {@code refs/coppice/preserved/SESSION/REMOVAL/…}; a session may be called anything. */
    private static boolean isOf(String mark, String ref) {
        var parts = ref.split("/", -1);
        return parts.length > REMOVAL_PART && parts[REMOVAL_PART].equals(mark);
    }
}
