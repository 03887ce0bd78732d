package dev.coppice.sim;

import org.jspecify.annotations.Nullable;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * The directories of all hosts, whose content grows while agents work in them, and their preserved
 * copies and backups.
 */
final class Disk {
    private final Map<String, Integer> directories = new HashMap<>();
    private final Map<String, Integer> preserved = new HashMap<>();

    private final Map<String, Set<String>> backups = new HashMap<>();
    private int written;

    static String at(String host, String directory) {
        return host + ":" + directory;
    }

    /** A new file each time: several processes may write the backup of one tree. */
    String backUp(String removal) {
        var file = removal + "-" + ++written;
        backups.computeIfAbsent(removal, _ -> new HashSet<>()).add(file);
        return file;
    }

    void keepOnly(String removal, @Nullable String file) {
        backups.getOrDefault(removal, new HashSet<>()).removeIf(f -> !f.equals(file));
    }

    boolean isBackedUp(String removal, String file) {
        return backups.getOrDefault(removal, Set.of()).contains(file);
    }

    void work(String directory) {
        directories.merge(directory, 1, Integer::sum);
    }

    int grown(String directory) {
        return directories.getOrDefault(directory, 0);
    }

    void keep(String removal, String directory) {
        preserved.put(removal + " " + directory, grown(directory));
    }

    /** Drops the preserved copy of a removal that did not take place. */
    void release(String removal, String directory) {
        preserved.remove(removal + " " + directory);
    }

    void takeAway(String directory) {
        directories.remove(directory);
    }

    /** True if a copy is preserved for that removal, whatever its content. */
    boolean hasCopy(String removal, String directory) {
        return preserved.containsKey(removal + " " + directory);
    }

    /** True if the preserved copy equals the present content of the directory. */
    boolean isPreserved(String removal, String directory) {
        return Integer.valueOf(grown(directory)).equals(preserved.get(removal + " " + directory));
    }
}
