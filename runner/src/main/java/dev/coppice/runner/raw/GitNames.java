package dev.coppice.runner.raw;

import java.text.Normalizer;
import java.util.List;
import java.util.Locale;

/** Recognises names that some file system treats as {@code .git}. */
public final class GitNames {
    /** Characters that HFS+ ignores when it compares names. */
    private static final String IGNORED_BY_HFS = "[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]";

    private GitNames() {}

    /** True if this component of a raw path is such a name. */
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
        // NTFS drops trailing dots and spaces, has streams after a colon, and short names.
        int colon = folded.indexOf(':');
        var bare = (colon < 0 ? folded : folded.substring(0, colon)).replaceAll("[. ]+$", "");
        return bare.equals(".git") || bare.matches("git~[0-9]+");
    }

    /** True if any component of a raw path is such a name. */
    public static boolean isIn(String raw) {
        return List.of(raw.split("[/\\\\]", -1)).stream().anyMatch(GitNames::isGits);
    }
}
