package dev.coppice.runner.directory;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The configuration of a repository, which an agent may have written. Git never reads it, because
 * dozens of its keys name programs. This class reads it, without includes, and passes on only the
 * values that say how names, modes and line endings are stored.
 */
final class GitConfig {
    private static final int BYTES_MAX = 1024 * 1024;
    private static final Pattern SECTION =
            Pattern.compile("\\[\\s*([A-Za-z0-9.-]+)\\s*(?:\"((?:[^\"\\\\]|\\\\.)*)\")?\\s*]");
    private static final Pattern KEY = Pattern.compile("([A-Za-z][A-Za-z0-9-]*)\\s*(?:=\\s*(.*))?");

    /** Allowed keys and values; none of them can name a file or a program. */
    private static final Map<String, Set<String>> HARMLESS =
            Map.of(
                    "core.autocrlf", Set.of("true", "false", "input"),
                    "core.eol", Set.of("lf", "crlf", "native"),
                    "core.filemode", Set.of("true", "false"),
                    "core.ignorecase", Set.of("true", "false"),
                    "core.precomposeunicode", Set.of("true", "false"),
                    "core.symlinks", Set.of("true", "false"),
                    "core.sparsecheckout", Set.of("true", "false"),
                    "core.sparsecheckoutcone", Set.of("true", "false"),
                    "extensions.objectformat", Set.of("sha1", "sha256"),
                    "extensions.refstorage", Set.of("files", "reftable"));

    private final Map<String, String> values = new HashMap<>();

    private GitConfig() {}

    static GitConfig of(Path common, Path gitDirectory) {
        var config = new GitConfig();
        config.read(common.resolve("config"));
        if (config.is("extensions.worktreeconfig")) {
            config.read(gitDirectory.resolve("config.worktree"));
        }
        return config;
    }

    private void read(Path file) {
        var text = text(file);
        var section = "";
        // A backslash at the end of a line continues the value.
        for (var line : text.replace("\\\r\n", "").replace("\\\n", "").lines().toList()) {
            var rest = line.strip();
            var head = SECTION.matcher(rest);
            if (head.lookingAt()) {
                section = head.group(1).toLowerCase(Locale.ROOT);
                if (head.group(2) != null)
                    section += "." + head.group(2).replaceAll("\\\\(.)", "$1");
                rest = rest.substring(head.end()).strip();
            }
            var key = KEY.matcher(rest);
            if (!key.matches()) continue;
            var value = key.group(2) == null ? "true" : plain(key.group(2));
            values.put(section + "." + key.group(1).toLowerCase(Locale.ROOT), value);
        }
    }

    private static String text(Path file) {
        if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) return "";
        try (var in = Files.newInputStream(file)) {
            return new String(in.readNBytes(BYTES_MAX), StandardCharsets.UTF_8);
        } catch (NoSuchFileException _) {
            return "";
        } catch (IOException e) {
            throw new GitFailed("cannot read '%s': %s".formatted(file, e.getMessage()));
        }
    }

    /** Returns a value without quotes, escapes and comment. */
    private static String plain(String written) {
        var value = new StringBuilder();
        boolean quoted = false;
        for (int i = 0; i < written.length(); i++) {
            char c = written.charAt(i);
            if (c == '\\' && i + 1 < written.length()) value.append(escaped(written.charAt(++i)));
            else if (c == '"') quoted = !quoted;
            else if (!quoted && (c == '#' || c == ';')) break;
            else value.append(c);
        }
        return value.toString().strip();
    }

    private static char escaped(char c) {
        return switch (c) {
            case 'n' -> '\n';
            case 't' -> '\t';
            case 'b' -> '\b';
            default -> c;
        };
    }

    String value(String key) {
        return values.getOrDefault(key, "");
    }

    boolean is(String key) {
        return List.of("true", "yes", "on", "1").contains(value(key).toLowerCase(Locale.ROOT));
    }

    /** Returns the addresses of the repository's remotes. */
    List<String> remotes() {
        return values.entrySet().stream()
                .filter(e -> e.getKey().startsWith("remote.") && e.getKey().endsWith(".url"))
                .map(Map.Entry::getValue)
                .sorted()
                .distinct()
                .toList();
    }

    /** True for a partial clone, which fetches missing objects on demand. */
    boolean isPartial() {
        return !value("extensions.partialclone").isEmpty()
                || values.keySet().stream()
                        .anyMatch(k -> k.startsWith("remote.") && k.endsWith(".promisor"));
    }

    /** Returns a new configuration with the harmless values of this one. */
    String ours() {
        var text = new StringBuilder("[core]\n\trepositoryformatversion = 1\n\tbare = false\n");
        HARMLESS.forEach((key, allowed) -> {
            var value = value(key).toLowerCase(Locale.ROOT);
            if (!allowed.contains(value)) return;
            int dot = key.indexOf('.');
            text.append(
                    "[%s]\n\t%s = %s\n"
                            .formatted(key.substring(0, dot), key.substring(dot + 1), value));
        });
        return text.toString();
    }
}
