package dev.coppice.sim;

import org.jspecify.annotations.Nullable;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Directories, each on its host, whose content grows while someone works in them, and copies of
 * what they held.
 */
final class Disk {
    private final Map<String, Integer> directories = new HashMap<>();
    private final Map<String, Integer> kept = new HashMap<>();

    private final Map<String, Set<String>> backups = new HashMap<>();
    private int written;

    static String at(String host, String directory) {
        return host + ":" + directory;
    }

    /** Another file each time, as of several who write the same tree. */
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
        kept.put(removal + " " + directory, grown(directory));
    }

    /** What was kept for one that did not come to be. */
    void release(String removal, String directory) {
        kept.remove(removal + " " + directory);
    }

    void takeAway(String directory) {
        directories.remove(directory);
    }

    /** Whether anything is kept there for that removal, whatever it holds. */
    boolean hasKept(String removal, String directory) {
        return kept.containsKey(removal + " " + directory);
    }

    /** What was there when the processes of the tree were gone. */
    boolean isKept(String removal, String directory) {
        return Integer.valueOf(grown(directory)).equals(kept.get(removal + " " + directory));
    }
}
