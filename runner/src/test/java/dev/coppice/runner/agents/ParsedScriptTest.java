package dev.coppice.runner.agents;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;

class ParsedScriptTest {
    private static final Path ROOT = Path.of(System.getProperty("coppice.root", ".."));

    @Test
    void indented_lines_form_the_block_of_the_line_above() {
        var lines =
                ParsedScript.read(
                                """
                                say one
                                # not me

                                spawn kid mode=sync
                                  say two
                                  spawn grandkid
                                    say three

                                say four
                                """)
                        .lines();
        assertThat(lines.stream().map(ParsedScript.Line::word))
                .containsExactly("say", "spawn", "say");
        assertThat(lines.get(1).rest()).isEqualTo("kid mode=sync");
        assertThat(lines.get(1).block()).isEqualTo("say two\nspawn grandkid\n  say three");
        assertThat(lines.get(2).number()).isEqualTo(9);
    }

    @Test
    void empty_script_has_no_lines() {
        assertThat(ParsedScript.read("").lines()).isEmpty();
        assertThat(ParsedScript.read("\n  \n# x\n").lines()).isEmpty();
    }

    @Test
    void documentation_lists_every_command_word() throws IOException {
        var code =
                Files.readString(
                        ROOT.resolve(
                                "runner/src/main/java/dev/coppice/runner/agents/Scripted.java"));
        var play =
                code.substring(
                        code.indexOf("private void play("), code.indexOf("default -> throw wrong"));
        var page = Files.readString(ROOT.resolve("docs/scripted-agent.md"));
        var words =
                Pattern.compile("case \"([a-z-]+)\"")
                        .matcher(play)
                        .results()
                        .map(m -> m.group(1))
                        .toList();
        var listed =
                Pattern.compile("(?m)^\\| `([a-z-]+)")
                        .matcher(page)
                        .results()
                        .map(m -> m.group(1))
                        .toList();
        assertThat(words).isNotEmpty();
        assertThat(listed).containsAll(words);
    }
}
