package dev.coppice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.boot.SettingsReader;
import dev.coppice.cli.engine.Exit;
import dev.coppice.cli.engine.Option;
import dev.coppice.cli.engine.Shown;
import dev.coppice.originals.OlderCommands;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The parts of the command line that need no coordinator, and the pages about them. */
class CommandsTest {
    private static final Path ROOT = Path.of(System.getProperty("coppice.root", ".."));

    private static Typed run(String... line) {
        var environment = Map.of("COPPICE_URL", "http://127.0.0.1:9", "COPPICE_TOKEN", "x");
        return Typed.in(environment, "", line);
    }

    @Test
    void an_invalid_command_line_names_the_error_and_the_help() {
        assertThat(run("nonsense").exit()).isEqualTo(Exit.USAGE);
        assertThat(run("show").err()).contains("NAME is missing", "coppice show --help");
        assertThat(run("start", "a", "b").err()).contains("'b'");
        assertThat(run("start", "a", "--nonsense").err()).contains("unknown option '--nonsense'");
        assertThat(run("start", "a", "--mode").err()).contains("--mode needs MODE");
        assertThat(run("start", "a", "--mode=odd", "-p", "x").err()).contains("'odd'");
        assertThat(run("start", "a", "--json=1").err()).contains("--json takes no value");
        assertThat(run("completion", "csh").err()).contains("'csh' is not one of bash, zsh, fish");
    }

    @Test
    void an_unreachable_coordinator_has_its_own_exit_code() {
        assertThat(run("list").exit()).isEqualTo(Exit.UNREACHABLE);
    }

    @Test
    void every_command_has_help_and_completion() {
        var completion = run("completion", "words", "--", "").out().lines().toList();
        for (var command : Commands.all()) {
            assertThat(run(command.name(), "--help").out()).contains("coppice " + command.name());
            assertThat(run().out()).contains(command.name());
            assertThat(completion).contains(command.name());
        }
    }

    @Test
    void no_help_lists_an_option_twice() {
        for (var command : Commands.all()) {
            assertThat(command.usage().options().stream().map(Option::name))
                    .as(command.name())
                    .doesNotHaveDuplicates();
        }
    }

    /** The help of 'db' named a variable that nothing reads. */
    @Test
    void every_variable_that_a_help_names_is_a_setting() {
        var known = new HashSet<>(SettingsReader.VARIABLES.keySet());
        known.addAll(List.of("COPPICE_URL", "COPPICE_TOKEN", "COPPICE_AGENT", "COPPICE_CONTEXT"));
        var named = Pattern.compile("COPPICE_[A-Z_]+");
        for (var command : Commands.all()) {
            var found = named.matcher(command.usage().help(command.name())).results();
            assertThat(found.map(MatchResult::group)).as(command.name()).isSubsetOf(known);
        }
    }

    @Test
    void line_10_the_help_begins_with_the_commands_that_one_needs_and_has_groups() {
        var help = run("--help").out();
        assertThat(help.lines().skip(2).limit(5))
                .satisfiesExactly(
                        line -> assertThat(line).startsWith("The four commands"),
                        line -> assertThat(line).startsWith("  coppice up"),
                        line -> assertThat(line).startsWith("  coppice start NAME"),
                        line -> assertThat(line).startsWith("  coppice tree"),
                        line -> assertThat(line).startsWith("  coppice stop NAME"));
        assertThat(help)
                .containsSubsequence(
                        "\nRun:", "\nLook:", "\nControl:", "\nRemove and recover:", "\nOperate:");
        assertThat(help.lines()).allMatch(line -> line.length() <= 80, "80 columns");
        for (var command : Commands.all()) {
            assertThat(command.usage().help(command.name()).lines())
                    .as(command.name())
                    .allMatch(line -> line.length() <= 100 || line.startsWith("  COPPICE_"));
        }
    }

    @Test
    void line_2_help_of_a_command_and_words_that_are_nearly_right() {
        assertThat(run("help", "stop").out()).isEqualTo(run("stop", "--help").out());
        assertThat(run("help").out()).isEqualTo(run("--help").out());
        assertThat(run("sotp", "x").err()).contains("Did you mean 'stop'?");
        assertThat(run("lits").err()).contains("Did you mean 'list'?");
        assertThat(run("help", "evnts").err()).contains("Did you mean 'events'?");
        assertThat(run("stop", "x", "--deadlin", "1s").err()).contains("'--deadline'");
        assertThat(run("stop", "x", "--treee").err()).contains("Did you mean '--tree'?");
        assertThat(run("removals", "x", "cancle").err()).contains("Did you mean 'cancel'?");
        assertThat(run("start", "x", "--mode", "synk").err()).contains("Did you mean 'sync'?");
    }

    @Test
    void line_2_completion_knows_commands_options_and_their_values() {
        assertThat(words("st")).containsExactlyInAnyOrder("start", "status", "stop");
        assertThat(words("stop", "x", "--d")).containsExactlyInAnyOrder("--deadline", "--data");
        assertThat(words("start", "x", "--mode", ""))
                .containsExactly("sync", "async_poll", "async_callback");
        assertThat(words("blueprints", "")).contains("add", "show", "edit", "rm");
        assertThat(words("completion", "z")).containsExactly("zsh");
        assertThat(words("nonsense", "")).isEmpty();
        // Without a coordinator there are no names to offer, and no error either.
        assertThat(words("stop", "")).isEmpty();
    }

    private static List<String> words(String... typed) {
        var line = new java.util.ArrayList<>(List.of("completion", "words", "--"));
        line.addAll(List.of(typed));
        return run(line.toArray(String[]::new)).out().lines().toList();
    }

    private static @Nullable String named(String typed) {
        var command = Commands.named(typed);
        return command == null ? null : command.name();
    }

    @Test
    void every_command_is_found_by_its_name() {
        for (var command : Commands.all()) {
            assertThat(named(command.name())).isEqualTo(command.name());
        }
    }

    @Test
    void every_original_name_is_a_command_and_a_link() {
        OlderCommands.NAMES.forEach((other, name) -> {
            assertThat(named(other)).as(other).isEqualTo(name);
            assertThat(ROOT.resolve("bin").resolve(other)).exists();
        });
    }

    @Test
    void exit_codes_are_unique() {
        assertThat(List.of(Exit.values()).stream().map(Exit::code)).doesNotHaveDuplicates();
    }

    @Test
    void foreign_text_cannot_control_the_terminal() {
        assertThat(Shown.clean("a\u001b[2Jb\u0007\r")).isEqualTo("a�[2Jb��");
    }

    @Test
    void the_page_of_commands_is_generated_from_their_help() throws IOException {
        var page =
                new StringBuilder("# The command line\n\nGenerated from the commands' help.\n\n");
        page.append("```text\n").append(Commands.help(Commands.OF_SCRIPT)).append("```\n");
        for (var command : Commands.all()) {
            page.append("\n## ").append(command.name()).append("\n\n```text\n");
            page.append(command.usage().help(command.name())).append("```\n");
        }
        var file = ROOT.resolve("docs/cli.md");
        if (Boolean.getBoolean("coppice.rewrite")) Files.writeString(file, page);
        assertThat(file)
                .as("rewrite it with: mvn -pl cli -am test -Dcoppice.rewrite=true")
                .content()
                .isEqualToNormalizingNewlines(page.toString());
    }

    @Test
    void the_page_of_settings_names_every_setting() throws IOException {
        var page = Files.readString(ROOT.resolve("docs/settings.md"));
        assertThat(SettingsReader.VARIABLES.keySet())
                .allSatisfy(n -> assertThat(page).contains("`" + n + "`"));
    }

    /** The script start.sh chooses the class cache by the name of the command. */
    @Test
    void the_launcher_knows_which_commands_are_quick() throws IOException {
        var script = Files.readString(ROOT.resolve("cli/src/main/sh/start.sh"));
        var named = script.lines().filter(line -> line.contains("cache=$COPPICE_QUICK_CACHE"));
        var quick = Practice.QUICK.stream().map(List::getFirst).distinct();
        assertThat(named.findFirst().orElseThrow().strip())
                .startsWith(quick.collect(Collectors.joining(" | ")) + ")");
    }

    @Test
    void each_command_has_a_manual_page() {
        var pages = ManPages.all();
        assertThat(pages).hasSize(Commands.all().size() + 1);
        pages.forEach((file, page) -> {
            assertThat(page).startsWith(".TH coppice").contains(".SH NAME", ".SH SYNOPSIS");
            assertThat(page.lines().filter(line -> line.startsWith("'"))).as(file).isEmpty();
        });
    }
}
