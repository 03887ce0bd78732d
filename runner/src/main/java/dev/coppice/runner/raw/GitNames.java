package dev.coppice.runner.raw;

import java.text.Normalizer;
import java.util.List;
import java.util.Locale;

/** Names that some file system takes for {@code .git}, whatever they look like. */
public final class GitNames {
    /** Characters that HFS+ leaves out when it compares names. */
    private static final String IGNORED_BY_HFS = "[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]";

    private GitNames() {}

    /** One component of a path. */
    static boolean isGits(String name) {
        var text =
                new String(
                        name.getBytes(java.nio.charset.StandardCharsets.ISO_8859_1),
                        java.nio.charset.StandardCharsets.UTF_8);
        return isPlain(name) || isPlain(text);
    }

    private static boolean isPlain(String name) {
        var folded =
                Normalizer.normalize(name, Normalizer.Form.NFKC)
                        .replaceAll(IGNORED_BY_HFS, "")
                        .toLowerCase(Locale.ROOT);
        // NTFS: no dots or spaces at the end, streams behind a colon, and a short form.
        int colon = folded.indexOf(':');
        var bare = (colon < 0 ? folded : folded.substring(0, colon)).replaceAll("[. ]+$", "");
        return bare.equals(".git") || bare.matches("git~[0-9]+");
    }

    /** Whether any component of a path is one. */
    public static boolean isIn(String path) {
        return List.of(path.split("[/\\\\]", -1)).stream().anyMatch(GitNames::isPlain);
    }
}
