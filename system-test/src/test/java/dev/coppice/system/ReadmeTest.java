package dev.coppice.system;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.house.Sources;
import dev.coppice.scene.Eventually;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The shop window: its examples run, its picture is what a terminal shows, its links lead
 * somewhere.
 */
class ReadmeTest {
    private static final Path README = Sources.ROOT.resolve("README.md");
    private static final Path PICTURE = Sources.ROOT.resolve("docs/pictures/growing-tree.svg");
    private static final int LINES_MAX = 150;
    private static final Pattern SHELL = Pattern.compile("(?s)```sh\n(.*?)```");
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)#:]+)(?:#[^)]*)?\\)");
    private static final Pattern NAME = Pattern.compile("[a-z]+");

    /** The age of a session; it follows the state, whose colour ends there. */
    private static final Pattern AGE = Pattern.compile("(?<=\u001b\\[0m)( +)\\d+\\w+( *)");

    private final Map<String, Integer> born = new HashMap<>();
    private final Map<String, Integer> ended = new HashMap<>();

    @Test
    void line_11_the_readme_has_at_most_150_lines() throws IOException {
        assertThat(Files.readAllLines(README)).hasSizeLessThanOrEqualTo(LINES_MAX);
    }

    @Test
    void line_11_every_link_of_a_document_leads_somewhere() throws IOException {
        var broken = new ArrayList<String>();
        for (var file : documents()) {
            var links = LINK.matcher(Files.readString(file));
            while (links.find()) {
                var target = file.resolveSibling(links.group(1).strip());
                if (!Files.exists(target)) broken.add(file + ": " + links.group(1));
            }
        }
        assertThat(broken).isEmpty();
    }

    private static List<Path> documents() throws IOException {
        try (var docs = Files.walk(Sources.ROOT.resolve("docs"));
                var top = Files.list(Sources.ROOT)) {
            return Stream.concat(docs, top).filter(f -> f.toString().endsWith(".md")).toList();
        }
    }

    /** Every page is in the index, so that a question finds it. */
    @Test
    void line_11_the_index_names_every_page() throws IOException {
        var index = Files.readString(Sources.ROOT.resolve("docs/README.md"));
        try (var pages = Files.list(Sources.ROOT.resolve("docs"))) {
            assertThat(pages.map(page -> page.getFileName().toString()).toList())
                    .filteredOn(name -> !name.equals("README.md") && !name.equals("pictures"))
                    .allSatisfy(name -> assertThat(index).contains(name));
        }
    }

    private static List<String> examples() throws IOException {
        var blocks = SHELL.matcher(Files.readString(README));
        var examples = new ArrayList<String>();
        while (blocks.find()) {
            var block = blocks.group(1);
            // Claude Code is not on every machine; ClaudeCodeTest runs it.
            boolean isForAll = !block.contains("./coppice up") && !block.contains("claude");
            if (isForAll) examples.add(block);
        }
        return examples;
    }

    private static Machine.Program played(Machine machine, String example) {
        return machine.shell(example, Map.of("COPPICE_AGENT", ""));
    }

    @Test
    void line_10_the_examples_run_and_fail_when_what_they_run_fails() throws IOException {
        try (var machine = new Machine()) {
            machine.up();
            var said = new StringBuilder();
            for (var example : examples()) {
                var program = played(machine, example);
                assertThat(program.awaitExit()).as(example + program.text()).isZero();
                said.append(program.text());
            }
            assertThat(said)
                    .contains("the figure is drawn", "└─ check", "removed plan", "restored plan")
                    .contains(" token", "hello from below");
            var list =
                    examples().stream().filter(e -> e.contains("ls -l")).findFirst().orElseThrow();
            var line = list.lines().filter(l -> l.contains("ls -l")).findFirst().orElseThrow();
            var broken = line.replace("start build", "start broken").replace("ls -l", "ls -l none");
            var failed = played(machine, broken);
            assertThat(failed.awaitExit()).as(failed.text()).isEqualTo(1);
        }
    }

    /** Each tour begins with a session of the same name, and none may stand in another's way. */
    @Test
    void the_tours_work_one_after_another_in_one_data_directory() throws IOException {
        try (var machine = new Machine()) {
            machine.up();
            machine.run("blueprints", "add", "echo", "--", "cat");
            var tours = List.of("README.md", "docs/how-to/claude-code.md", "docs/how-to/codex.md");
            for (var tour : tours) {
                for (var line : Files.readAllLines(Sources.ROOT.resolve(tour))) {
                    if (!line.contains("coppice start plan --agent")) continue;
                    // Real programs are not on every machine, and only the name matters here.
                    machine.run("start", "plan", "--agent", "echo", "-p", line);
                }
            }
            var script = tree(Files.readString(Sources.ROOT.resolve("docs/scripted-agent.md")));
            var said = machine.run("start", "plan", "--agent", "scripted", "-p", script);
            assertThat(said).contains("second finished: proof finished: looks right");
            assertThat(machine.run("list", "-q").lines())
                    .contains("plan", "plan~1", "plan~2", "plan~3");
        }
    }

    /** The tree that the page about scripts plays. */
    private static String tree(String page) {
        var from = page.indexOf("# A plan with two drafts");
        assertThat(from).isPositive();
        return page.substring(from, page.indexOf("```", from));
    }

    /** The ages of the sessions differ from run to run, so they are those of the screens. */
    @Test
    void line_11_the_picture_is_what_a_terminal_shows() throws IOException {
        var screens = new ArrayList<List<String>>();
        try (var machine = new Machine()) {
            machine.up();
            machine.run("blueprints", "add", "sh", "bash");
            grows(machine, "plan");
            screens.add(screen(machine, 0));
            grows(machine, "draft", "--parent", "plan");
            grows(machine, "check", "--parent", "plan");
            screens.add(screen(machine, 1));
            grows(machine, "figure", "--parent", "draft");
            grows(machine, "tests", "--parent", "check");
            grows(machine, "links", "--parent", "check");
            screens.add(screen(machine, 2));
            ends(machine, "links", "exit 3", "failed");
            ends(machine, "figure", "exit 0", "finished");
            screens.add(screen(machine, 3));
            ends(machine, "tests", "exit 0", "finished");
            ends(machine, "draft", "exit 0", "finished");
            screens.add(screen(machine, 4));
            ends(machine, "check", "exit 0", "finished");
            ends(machine, "plan", "exit 0", "finished");
            screens.add(screen(machine, 5));
        }
        var svg = TerminalPicture.of("coppice tree plan, while it grows", screens);
        if (Boolean.getBoolean("coppice.rewrite")) {
            Files.createDirectories(PICTURE.getParent());
            Files.writeString(PICTURE, svg);
        }
        assertThat(PICTURE)
                .as("rewrite it with: ./coppice test -Dcoppice.rewrite=true")
                .content()
                .isEqualTo(svg);
    }

    private static Path gate(Machine machine, String name) {
        return machine.data().resolve("gate-" + name);
    }

    /** Starts a session that ends as the test writes into its gate. */
    private static void grows(Machine machine, String name, String... more) {
        var gate = gate(machine, name);
        var script = Machine.awaiting(gate) + ". " + gate;
        var line = new ArrayList<>(List.of("start", name, "--agent", "sh"));
        line.addAll(List.of("--mode", "async_poll", "-p", script));
        line.addAll(List.of(more));
        machine.run(line.toArray(String[]::new));
        machine.awaitState(name, "running");
    }

    private static void ends(Machine machine, String name, String script, String state)
            throws IOException {
        var written = Files.writeString(machine.data().resolve("end"), script + "\n");
        Files.move(written, gate(machine, name), StandardCopyOption.ATOMIC_MOVE);
        machine.awaitState(name, state);
    }

    private List<String> screen(Machine machine, int number) {
        var terminal = Map.of("COPPICE_TERMINAL", "1", "LINES", "24", "COLUMNS", "100");
        var tree = machine.startWith(terminal, "tree", "plan");
        Eventually.await(() -> !tree.process().isAlive(), tree::text);
        var lines = new ArrayList<>(List.of("$ coppice tree plan", ""));
        tree.text().lines().map(line -> aged(line, number)).forEach(lines::add);
        return lines;
    }

    /** Two seconds a screen, from the first one with the session to the first one with its end. */
    private String aged(String line, int number) {
        var name = NAME.matcher(line).results().findFirst().orElseThrow().group();
        born.putIfAbsent(name, number);
        if (!line.contains("running")) ended.putIfAbsent(name, number);
        int age = 2 * (ended.getOrDefault(name, number) - born.getOrDefault(name, 0)) + 1;
        return AGE.matcher(line)
                .replaceFirst(found -> {
                    var gap = found.group(2).isEmpty() ? "" : "   ";
                    return found.group(1) + age + "s" + gap;
                });
    }
}
