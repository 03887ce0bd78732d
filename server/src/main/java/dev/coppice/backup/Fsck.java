package dev.coppice.backup;

import dev.coppice.kernel.Transactions;
import dev.coppice.removal.Inventory;
import dev.coppice.wire.removal.BackupCalls.Leftover;
import dev.coppice.wire.removal.BackupCalls.Leftover.Kind;
import dev.coppice.work.InspectedWork;
import dev.coppice.work.WorkItem;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Checks the database for consistency, and the files and hosts against the database. */
public final class Fsck {
    private static final String GOING = ".going-";
    private static final Pattern HASHED = Pattern.compile(".+\\.[0-9a-f]{12}");
    private static final int SHOWN_MAX = 10;
    private static final int REMOVAL_PART = 4;
    private final Transactions transactions;
    private final Inventory inventory;
    private final Strays strays;
    private final Path directory;
    private final Supplier<List<String>> damage;

    public Fsck(
            Transactions transactions,
            Inventory inventory,
            Strays strays,
            Path directory,
            Supplier<List<String>> damage) {
        this.damage = damage;
        this.transactions = transactions;
        this.inventory = inventory;
        this.strays = strays;
        this.directory = directory;
    }

    /** Returns what is inconsistent in the database and in the files; empty if all is well. */
    public List<Leftover> leftovers() {
        var flaws = damage.get();
        // Other answers of a damaged database are worthless.
        if (!flaws.isEmpty())
            return List.of(leftover(Kind.DAMAGE, "damage of the database", flaws));
        var found = new ArrayList<Leftover>();
        for (var rows : transactions.read(inventory::leftovers)) {
            found.add(new Leftover(Kind.ROWS, rows.what(), rows.count(), rows.some()));
        }
        var backups = Set.copyOf(transactions.read(inventory::backups));
        var preserved = Set.copyOf(transactions.read(inventory::preservedFiles));
        found.addAll(missing("backups whose file is missing", directory, backups));
        found.addAll(missing("preserved work whose file is missing", preserved(), preserved));
        found.addAll(unknown(preserved));
        var forgotten = strays.forgottenBackups();
        if (!forgotten.isEmpty())
            found.add(leftover(Kind.FILES, "backup files no removal uses", forgotten));
        return List.copyOf(found);
    }

    /** Returns what runners found on their hosts that the database contradicts. */
    public List<Leftover> leftovers(InspectedWork seen) {
        var found = new TreeMap<String, TreeSet<String>>();
        transactions.read(() -> {
            for (var item : seen.items()) {
                for (var name : item.notes()) {
                    var what = leftover(item, name);
                    if (what == null) continue;
                    var in = item.directory().isEmpty() ? "" : " in " + item.directory();
                    var where = name + in + " on " + item.host();
                    found.computeIfAbsent(what, _ -> new TreeSet<>()).add(where);
                }
            }
            return seen;
        });
        return found.entrySet().stream()
                .map(e -> leftover(Kind.HOSTS, e.getKey(), e.getValue()))
                .toList();
    }

    /** Returns what is wrong, or null: unknown refs and output may be another coordinator's. */
    private @Nullable String leftover(WorkItem item, String name) {
        return switch (item.kind()) {
            case REFS ->
                    inventory.isKnown(removal(name)) && !inventory.mayHaveRefs(removal(name))
                            ? "refs of undone or called-off removals"
                            : null;
            case PROCESSES -> inventory.isLive(name) ? null : "runs that are over with processes";
            case ORPHANS -> "processes of no known run";
            case OUTPUT -> inventory.wasDeleted(name) ? "output of runs that are gone" : null;
            case PLAIN -> directory(item, renamedFrom(name));
            case GIT -> null;
        };
    }

    /** A directory that an agent renamed belongs to no session, and no removal deletes it. */
    private @Nullable String directory(WorkItem item, String name) {
        if (inventory.wasDeleted(item.host(), item.directory() + "/" + name)) {
            return "directories of sessions that are gone";
        }
        // The name for an id with unusual characters ends with a hash and does not contain the id.
        boolean isKnown = HASHED.matcher(name).matches() || inventory.isOfASession(name);
        return isKnown ? null : "directories of no session";
    }

    /** Returns the name a directory had before a runner renamed it to delete it. */
    private static String renamedFrom(String name) {
        return name.startsWith(GOING) ? name.substring(GOING.length()) : name;
    }

    /** Returns the removal of a ref {@code refs/coppice/preserved/SESSION/REMOVAL/…}. */
    private static String removal(String ref) {
        var parts = ref.split("/", -1);
        return parts.length > REMOVAL_PART ? parts[REMOVAL_PART] : "";
    }

    private Path preserved() {
        return directory.resolve("preserved");
    }

    private static List<Leftover> missing(String what, Path directory, Set<String> names) {
        var gone =
                names.stream()
                        .filter(n -> !Files.isRegularFile(directory.resolve(n)))
                        .sorted()
                        .toList();
        return gone.isEmpty() ? List.of() : List.of(leftover(Kind.FILES, what, gone));
    }

    /** Returns files of directory tasks that no row refers to, but for unfinished uploads. */
    private List<Leftover> unknown(Set<String> remembered) {
        if (!Files.isDirectory(preserved())) return List.of();
        var found = new HashSet<String>();
        try (Stream<Path> all = Files.walk(preserved())) {
            for (var file : all.filter(Files::isRegularFile).toList()) {
                var name = preserved().relativize(file).toString();
                boolean isOfTask = name.startsWith("task_") && !name.endsWith(".part");
                if (!isOfTask || remembered.contains(name)) continue;
                // The files of an open task are uploaded before its report is.
                var task = preserved().resolve(name.substring(0, name.indexOf('/')));
                if (strays.isForgotten(task, file)) found.add(name);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("looking through " + preserved(), e);
        }
        return found.isEmpty()
                ? List.of()
                : List.of(
                        leftover(
                                Kind.FILES,
                                "files of preserved work that nothing refers to",
                                found));
    }

    private static Leftover leftover(Kind kind, String what, Collection<String> all) {
        return new Leftover(kind, what, all.size(), all.stream().limit(SHOWN_MAX).toList());
    }
}
