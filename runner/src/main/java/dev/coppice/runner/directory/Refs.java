package dev.coppice.runner.directory;

import dev.coppice.runner.raw.PreservationFailed;
import dev.coppice.wire.fleet.DirectoryTaskOrder;
import dev.coppice.wire.fleet.DirectoryTaskResult;

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
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** The refs to preserved work in the repositories of an order. */
final class Refs {
    private static final System.Logger LOG = System.getLogger("runner");
    private static final String ALL = "refs/coppice/preserved/";
    private static final int REMOVAL_PART = 4;
    private final DirectoryTaskOrder order;

    Refs(DirectoryTaskOrder order) {
        this.order = order;
    }

    /** Lists the refs of each repository once; its work trees share them. */
    List<DirectoryTaskResult.Item> items() {
        var items = new ArrayList<DirectoryTaskResult.Item>();
        var seen = new HashSet<Path>();
        for (var top : tops()) {
            var repository = Repository.at(top);
            if (repository.isEmpty() || !seen.add(repository.get().common())) continue;
            try {
                var refs = in(top);
                if (!refs.isEmpty())
                    items.add(DirectoryTaskResult.Item.listed(top.toString(), "refs", refs));
            } catch (GitFailed e) {
                LOG.log(System.Logger.Level.INFO, "cannot list the refs of {0}: {1}", top, e);
            }
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

    /** Finds a work tree without git: there may be thousands of places in few repositories. */
    private static @Nullable Path top(Path directory) {
        for (var at = directory; at != null; at = at.getParent()) {
            if (Files.exists(at.resolve(".git"))) return at;
        }
        return null;
    }

    /** Throws if git cannot list them: refs that are missed would never be deleted. */
    private static List<String> in(Path directory) {
        var refs =
                repository(directory)
                        .map(r -> Git.of(r).text("for-each-ref", "--format=%(refname)", ALL))
                        .orElse("");
        return refs.lines().filter(line -> !line.isBlank()).toList();
    }

    private static Optional<Repository> repository(Path directory) {
        return Repository.at(directory).or(() -> Repository.bare(directory));
    }

    /** Writes refs. Throws rather than write one through a link. */
    static void write(Repository repository, Git git, Map<String, String> refs) {
        for (var ref : refs.keySet()) noLinks(repository, ref);
        var updates =
                refs.entrySet().stream()
                        .map(e -> "update %s %s\n".formatted(e.getKey(), e.getValue()))
                        .collect(Collectors.joining());
        git.text(updates.getBytes(StandardCharsets.UTF_8), "update-ref", "--stdin");
    }

    /** Throws if the ref or its log would be written through a link. */
    static void noLinks(Repository repository, String ref) {
        for (var top : List.of(repository.common(), repository.common().resolve("logs"))) {
            var at = top;
            for (var part : ref.split("/", -1)) {
                at = at.resolve(part);
                if (Files.isSymbolicLink(at)) throw new GitFailed("will not follow link " + at);
            }
        }
    }

    /** True if one of the repositories has refs of this order. */
    boolean areIn(List<Path> repositories) {
        return repositories.stream()
                .flatMap(r -> in(r).stream())
                .anyMatch(r -> isOf(order.mark(), r));
    }

    /** Deletes the refs of this order. A failure in one repository does not stop the others. */
    void delete() {
        delete(tops(), order.mark());
    }

    static void delete(Collection<Path> repositories, String mark) {
        RuntimeException failed = null;
        for (var repository : repositories) {
            try {
                delete(repository, mark);
            } catch (PreservationFailed | UncheckedIOException e) {
                failed = e;
            }
        }
        if (failed != null) throw failed;
    }

    void delete(Path repository) {
        delete(repository, order.mark());
    }

    private static void delete(Path repository, String mark) {
        var updates =
                in(repository).stream()
                        .filter(ref -> isOf(mark, ref))
                        .map("delete %s\n"::formatted)
                        .collect(Collectors.joining());
        if (updates.isEmpty()) return;
        repository(repository)
                .map(r -> Git.of(r).writing())
                .orElseThrow()
                .text(updates.getBytes(StandardCharsets.UTF_8), "update-ref", "--stdin");
    }

    /** True for {@code refs/coppice/preserved/SESSION/MARK/…}, whatever the session. */
    private static boolean isOf(String mark, String ref) {
        var parts = ref.split("/", -1);
        return parts.length > REMOVAL_PART && parts[REMOVAL_PART].equals(mark);
    }
}
