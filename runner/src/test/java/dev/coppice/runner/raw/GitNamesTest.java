package dev.coppice.runner.raw;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.charset.StandardCharsets;

/** The names that some file system takes for that of a repository. */
class GitNamesTest {
    /** A path whose characters are its bytes. */
    private static String raw(String path) {
        return new String(path.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                ".git",
                ".GIT",
                "a/.Git/hooks/post-checkout",
                "a\\.git\\config",
                ".git.",
                ".git ",
                ".git::$INDEX_ALLOCATION",
                "git~1",
                "GIT~2/config",
                ".g\u200cit",
                "\ufeff.git",
                "\uff0egit"
            })
    void every_form_of_git_is_found_in_a_path(String path) {
        assertThat(GitNames.isIn(raw(path))).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {".github/x", ".gitignore", "git", "digit~1", "a.git", "git~one"})
    void other_names_are_left_alone(String path) {
        assertThat(GitNames.isIn(raw(path))).isFalse();
    }
}
