package dev.coppice.backup;

import dev.coppice.kernel.Transactions;
import dev.coppice.removal.Inventory;
import dev.coppice.removal.Inventory.Leftover;
import dev.coppice.work.WorkItem;
import dev.coppice.work.WorkSeen;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/** Holds the database against itself, and the files against the database. */
public final class Fsck {
    private static final int SHOWN_MAX = 10;
    private static final int REMOVAL_PART = 4;
    private final Transactions transactions;
    private final Inventory inventory;
    private final Strays strays;
    private final Path directory;

    public Fsck(Transactions transactions, Inventory inventory, Strays strays, Path directory) {
        this.transactions = transactions;
        this.inventory = inventory;
        this.strays = strays;
        this.directory = directory;
    }

    /** Everything that points to something gone; nothing when all is well. */
    public List<Leftover> leftovers() {
        var found = new ArrayList<>(transactions.read(inventory::leftovers));
        var backups = Set.copyOf(transactions.read(inventory::backups));
        var kept = Set.copyOf(transactions.read(inventory::keptFiles));
        found.addAll(missing("backups that are remembered and not there", directory, backups));
        found.addAll(missing("kept work that is remembered and not there", kept(), kept));
        found.addAll(unknown(kept));
        var forgotten = strays.forgottenBackups();
        if (!forgotten.isEmpty()) found.add(leftover("backups nobody remembers", forgotten));
        return List.copyOf(found);
    }

    /** What runners have found on their hosts, held against the database. */
    public List<Leftover> leftovers(WorkSeen seen) {
        var refs = new TreeSet<String>();
        var runs = new TreeSet<String>();
        transactions.read(() -> {
            for (var item : seen.items()) {
                for (var note : item.notes()) {
                    boolean ours =
                            item.kind() == WorkItem.Kind.REFS && inventory.isKnown(removal(note));
                    if (ours && !inventory.mayHaveRefs(removal(note)))
                        refs.add("%s in %s on %s".formatted(note, item.directory(), item.host()));
                    if (item.kind() == WorkItem.Kind.PROCESSES && !inventory.isLive(note))
                        runs.add("%s on %s".formatted(note, item.host()));
                }
            }
            return seen;
        });
        var found = new ArrayList<Leftover>();
        if (!refs.isEmpty()) found.add(leftover("refs of removals that did not come to be", refs));
        if (!runs.isEmpty()) found.add(leftover("runs that are over with processes", runs));
        return List.copyOf(found);
    }

    /** {@code refs/coppice/preserved/SESSION/REMOVAL/…}. */
    private static String removal(String ref) {
        var parts = ref.split("/", -1);
        return parts.length > REMOVAL_PART ? parts[REMOVAL_PART] : "";
    }

    private Path kept() {
        return directory.resolve("kept");
    }

    private static List<Leftover> missing(String what, Path directory, Set<String> names) {
        var gone =
                names.stream()
                        .filter(n -> !Files.isRegularFile(directory.resolve(n)))
                        .sorted()
                        .toList();
        return gone.isEmpty() ? List.of() : List.of(leftover(what, gone));
    }

    /** A file of an errand that nobody remembers; one that is still being handed in is a part. */
    private List<Leftover> unknown(Set<String> remembered) {
        if (!Files.isDirectory(kept())) return List.of();
        var found = new HashSet<String>();
        try (Stream<Path> all = Files.walk(kept())) {
            for (var file : all.filter(Files::isRegularFile).toList()) {
                var name = kept().relativize(file).toString();
                boolean ofAnErrand = name.startsWith("err_") && !name.endsWith(".part");
                if (!ofAnErrand || remembered.contains(name)) continue;
                // As long as it is wanted its files come before the word of them.
                var errand = kept().resolve(name.substring(0, name.indexOf('/')));
                if (strays.isForgotten(errand, file)) found.add(name);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("looking through " + kept(), e);
        }
        return found.isEmpty()
                ? List.of()
                : List.of(leftover("kept files that nothing remembers", found));
    }

    private static Leftover leftover(String what, Collection<String> all) {
        return new Leftover(what, all.size(), all.stream().limit(SHOWN_MAX).toList());
    }
}
