package dev.coppice.runner.raw;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Renames everything that an agent could use to make git run a program: the configuration and hooks
 * of every directory that git could take for a git directory, and every pointer to a directory
 * outside. Nothing is deleted.
 */
public final class Disarm {
    private static final String ASIDE = ".from-agent";
    private static final List<String> ARMED = List.of("config", "config.worktree", "hooks");
    private static final List<String> GITS = List.of("HEAD", "objects", "refs", "commondir");
    private static final String POINTER = "gitdir: ";
    private static final int LINE_BYTES_MAX = 8 * 1024;
    private final Path root;
    private final Path spared;
    private final Reach reach;

    /** New names by old raw paths below the root. */
    private final Map<String, String> renamed = new HashMap<>();

    private Disarm(Path root, Path spared, Reach reach) {
        this.root = root;
        this.spared = spared;
        this.reach = reach;
    }

    /** Renames below {@code root}, except {@code spared}; returns new names by old raw paths. */
    public static Map<String, String> in(Path root, Path spared) throws IOException {
        try (var reach = new Reach(root)) {
            var disarm = new Disarm(root, spared, reach);
            for (var directory : deepestFirst(root, spared)) disarm.directory(directory);
            return Map.copyOf(disarm.renamed);
        }
    }

    /** A directory keeps its old path until everything below it is renamed. */
    private static List<String> deepestFirst(Path root, Path spared) throws IOException {
        var directories = new ArrayList<>(List.of(""));
        Handles.walk(
                root,
                new Handles.Visitor() {
                    @Override
                    public boolean directory(Handles.Entry directory) {
                        if (directory.path().equals(spared)) return false;
                        directories.add(directory.raw());
                        return true;
                    }

                    @Override
                    public void file(Handles.Entry file) {}
                });
        directories.sort((one, other) -> Integer.compare(depth(other), depth(one)));
        return directories;
    }

    private static int depth(String raw) {
        return raw.isEmpty() ? 0 : 1 + (int) raw.chars().filter(c -> c == '/').count();
    }

    private void directory(String directory) throws IOException {
        var path = reach.at(directory, RawName.below(root, directory));
        var names = new ArrayList<String>();
        try (var all = Files.newDirectoryStream(path)) {
            for (var one : all) names.add(RawName.of(one.getFileName()));
        }
        boolean gits =
                List.of(directory.split("/", -1)).stream().anyMatch(GitNames::isGits)
                        || GITS.stream().anyMatch(names::contains);
        for (var name : names) {
            var file = RawName.below(path, name);
            if (file.equals(spared)) continue;
            boolean armed = gits && ARMED.contains(name);
            if (armed || leadsOut(file, name)) aside(directory, path, name, names);
        }
    }

    /** True if a {@code .git} or {@code commondir} is a link, or a file that points outside. */
    private boolean leadsOut(Path file, String name) throws IOException {
        boolean pointer = GitNames.isGits(name) || name.equals("commondir");
        if (!pointer || Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS)) return false;
        if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) return true;
        String line;
        try (var in = Files.newInputStream(file)) {
            var text = new String(in.readNBytes(LINE_BYTES_MAX), StandardCharsets.UTF_8);
            line = text.lines().findFirst().orElse("");
        }
        var to = line.startsWith(POINTER) ? line.substring(POINTER.length()) : line;
        try {
            var target = file.resolveSibling(to);
            return !target.toRealPath().startsWith(root.toRealPath());
        } catch (IOException | InvalidPathException _) {
            return true;
        }
    }

    private void aside(String directory, Path path, String name, List<String> taken)
            throws IOException {
        var free = name + ASIDE;
        for (int i = 2; taken.contains(free); i++) free = name + ASIDE + "-" + i;
        Files.move(RawName.below(path, name), RawName.below(path, free));
        renamed.put(directory.isEmpty() ? name : directory + "/" + name, free);
    }

    /** Returns the path of a file after it and its parents were renamed. */
    public static String placed(String raw, Map<String, String> renamed) {
        var found = new StringBuilder();
        var old = new StringBuilder();
        for (var part : raw.split("/", -1)) {
            if (!old.isEmpty()) {
                old.append('/');
                found.append('/');
            }
            old.append(part);
            found.append(renamed.getOrDefault(old.toString(), part));
        }
        return found.toString();
    }
}
