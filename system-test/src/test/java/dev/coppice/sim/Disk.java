package dev.coppice.sim;

import java.util.HashMap;
import java.util.Map;

/** Directories whose content grows while someone works in them, and copies of what they held. */
final class Disk {
    private final Map<String, Integer> directories = new HashMap<>();
    private final Map<String, Integer> kept = new HashMap<>();

    void work(String directory) {
        directories.merge(directory, 1, Integer::sum);
    }

    void keep(String removal, String directory) {
        kept.put(removal + " " + directory, directories.getOrDefault(directory, 0));
    }

    /** What was there when the processes of the tree were gone. */
    boolean isKept(String removal, String directory) {
        return directories.getOrDefault(directory, 0).equals(kept.get(removal + " " + directory));
    }
}
