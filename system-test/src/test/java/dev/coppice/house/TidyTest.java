package dev.coppice.house;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreePathScanner;
import com.sun.source.util.Trees;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import javax.lang.model.element.Modifier;
import javax.tools.ToolProvider;

/** Checks of the sources that no ready-made tool offers. Each message says how to fix it. */
class TidyTest {
    private static final int METHOD_LINES_MAX = 60;
    private static final int FILE_LINES_MAX = 600;
    private static final int LINE_CHARS_MAX = 100;
    private static final int PARAMETERS_MAX = 5;
    private static final int PACKAGE_FILES_MAX = 40;

    private static final Pattern LITERAL = Pattern.compile("\"(?:[^\"\\\\]|\\\\.)*\"");

    private static final Pattern TEXT_BLOCK = Pattern.compile("\"{3}.*?\"{3}", Pattern.DOTALL);

    /** The module of the older systems in code that may use it, and a method of Jackson. */
    private static final Pattern NOT_OLDER =
            Pattern.compile(
                    "dev\\.coppice\\.originals\\.[\\w.]+|Originals\\.faces\\(|getOriginalMessage");

    private static final Pattern OLDER = Pattern.compile("original", Pattern.CASE_INSENSITIVE);

    private static final Map<String, String> BANNED =
            Map.of(
                    "Instant.now()",
                    "the injected InstantSource",
                    "System.currentTimeMillis(",
                    "the injected InstantSource",
                    "UUID.randomUUID(",
                    "the injected Ids",
                    "Thread.sleep(",
                    "a wait on a condition with a deadline",
                    "FIX" + "ME",
                    "the fix",
                    "TO" + "DO",
                    "an issue",
                    "printStackTrace(",
                    "a logger");

    private static final Pattern NAMES_THAT_SAY_NOTHING =
            Pattern.compile(
                    "Manager|Service|Helper|Util|Handler|Processor|Impl"
                            + "|Base|Abstract|Common|DTO|Entity");

    /** Texts on the wire say it, and benchmarks measure them; no other name or comment does. */
    @Test
    void only_the_module_of_the_older_systems_speaks_of_originals() {
        var found = new ArrayList<String>();
        for (var file : Sources.main()) {
            var name = Sources.name(file);
            if (name.startsWith("originals/") || name.startsWith("bench/")) continue;
            var code = TEXT_BLOCK.matcher(Sources.text(file)).replaceAll("");
            for (var line : code.lines().toList()) {
                var said = LITERAL.matcher(line).replaceAll("");
                if (OLDER.matcher(NOT_OLDER.matcher(said).replaceAll("")).find()) {
                    found.add(
                            "%s: '%s'; say what it is for, or move it to originals"
                                    .formatted(name, line.strip()));
                }
            }
        }
        assertThat(found).isEmpty();
    }

    @Test
    void methods_have_at_most_sixty_lines() {
        var found = new ArrayList<String>();
        for (var source : parsed()) {
            source.methods((method, lines) -> {
                if (lines > METHOD_LINES_MAX) {
                    found.add(
                            "%s: %s has %d lines; split it where its subject changes"
                                    .formatted(source.name(), method.getName(), lines));
                }
            });
        }
        assertThat(found).isEmpty();
    }

    @Test
    void methods_take_at_most_five_parameters() {
        var found = new ArrayList<String>();
        for (var source : parsed()) {
            source.methods((method, _) -> {
                if (method.getParameters().size() > PARAMETERS_MAX
                        && !method.getName().contentEquals("<init>")) {
                    found.add(
                            "%s: %s takes %d parameters; group them in a record"
                                    .formatted(
                                            source.name(),
                                            method.getName(),
                                            method.getParameters().size()));
                }
            });
        }
        assertThat(found).isEmpty();
    }

    @Test
    void no_public_method_takes_a_boolean() {
        var found = new ArrayList<String>();
        for (var source : parsed()) {
            source.methods((method, _) -> {
                boolean isPublic = method.getModifiers().getFlags().contains(Modifier.PUBLIC);
                boolean takesOne =
                        method.getParameters().stream()
                                .anyMatch(p -> String.valueOf(p.getType()).equals("boolean"));
                if (isPublic && takesOne && !method.getName().contentEquals("<init>")) {
                    found.add(
                            "%s: %s takes a boolean; use an enum or two methods"
                                    .formatted(source.name(), method.getName()));
                }
            });
        }
        assertThat(found).isEmpty();
    }

    @Test
    void type_names_contain_no_banned_word() {
        var found = new ArrayList<String>();
        for (var source : parsed()) {
            source.types(type -> {
                var words = type.getSimpleName().toString().split("(?<=[a-z])(?=[A-Z])", -1);
                for (var word : words) {
                    if (NAMES_THAT_SAY_NOTHING.matcher(word).matches())
                        found.add(source.name() + ": " + type.getSimpleName());
                }
            });
        }
        assertThat(found).isEmpty();
    }

    @Test
    void no_file_is_so_long_that_it_must_hold_two_ideas() {
        var found = new ArrayList<String>();
        var all = Stream.concat(Sources.main().stream(), Sources.dashboard().stream());
        for (var file : all.toList()) {
            long lines = Sources.text(file).lines().count();
            if (lines > FILE_LINES_MAX) found.add(Sources.name(file) + ": " + lines + " lines");
        }
        assertThat(found).isEmpty();
    }

    /** In tests string literals do not count: a request or an answer may be one long literal. */
    @Test
    void lines_have_at_most_one_hundred_characters() {
        var found = new ArrayList<String>();
        wideLines(Sources.main(), UnaryOperator.identity(), found);
        wideLines(Sources.dashboard(), UnaryOperator.identity(), found);
        wideLines(Sources.tests(), line -> LITERAL.matcher(line).replaceAll("\"\""), found);
        assertThat(found).isEmpty();
    }

    private static void wideLines(
            List<Path> files, UnaryOperator<String> measured, List<String> found) {
        for (var file : files) {
            var lines = Sources.text(file).lines().toList();
            for (int i = 0; i < lines.size(); i++) {
                if (measured.apply(lines.get(i)).length() > LINE_CHARS_MAX) {
                    found.add("%s:%d".formatted(Sources.name(file), i + 1));
                }
            }
        }
    }

    @Test
    void no_package_has_so_many_files_that_it_must_hold_two_subjects() {
        var sizes = new TreeMap<String, Integer>();
        for (var file : Sources.main()) {
            if (!file.endsWith("package-info.java")) sizes.merge(packageOf(file), 1, Integer::sum);
        }
        sizes.entrySet().removeIf(e -> e.getValue() <= PACKAGE_FILES_MAX);
        assertThat(sizes).isEmpty();
    }

    @Test
    void clocks_ids_and_randomness_are_injected() {
        var found = new ArrayList<String>();
        for (var file : all()) {
            if (file.endsWith("TidyTest.java")) continue;
            var text = Sources.text(file);
            BANNED.forEach((banned, instead) -> {
                if (text.contains(banned))
                    found.add("%s: %s — use %s".formatted(Sources.name(file), banned, instead));
            });
        }
        assertThat(found).isEmpty();
    }

    /** The log tells of a thread that dies only if the factory has made it. */
    @Test
    void threads_are_made_by_one_factory() {
        var made =
                Pattern.compile(
                        "Thread\\s*\\.of(Virtual|Platform)|new Thread\\(|startVirtualThread"
                                + "|newVirtualThreadPerTaskExecutor");
        var found = new ArrayList<String>();
        for (var file : Sources.main()) {
            if (file.endsWith("dev/coppice/thread/Threads.java")) continue;
            made.matcher(Sources.text(file))
                    .results()
                    .forEach(match ->
                            found.add(
                                    "%s: %s — use Threads, or Loops for what never ends"
                                            .formatted(Sources.name(file), match.group())));
        }
        assertThat(found).isEmpty();
    }

    @Test
    void core_names_no_path_and_no_option_of_a_face() {
        var ofAFace = Pattern.compile("(GET|POST|PUT|PATCH|DELETE) /|(^\"|[ '])--[a-z]");
        var found = new ArrayList<String>();
        for (var file : Sources.main()) {
            if (!Sources.name(file).startsWith("core/")) continue;
            LITERAL.matcher(Sources.text(file))
                    .results()
                    .filter(literal -> ofAFace.matcher(literal.group()).find())
                    .forEach(literal -> found.add(Sources.name(file) + ": " + literal.group()));
        }
        assertThat(found).isEmpty();
    }

    private static List<Path> all() {
        var all = new ArrayList<>(Sources.main());
        all.addAll(Sources.tests());
        return all;
    }

    private static String packageOf(Path file) {
        var name = Sources.name(file).toLowerCase(Locale.ROOT);
        int from = name.indexOf("dev/coppice");
        return name.substring(from, name.lastIndexOf('/')).replace('/', '.');
    }

    private record Parsed(CompilationUnitTree unit, Trees trees, String name) {
        interface Method {
            void found(MethodTree method, long lines);
        }

        void methods(Method visitor) {
            var lines = unit.getLineMap();
            var positions = trees.getSourcePositions();
            new TreePathScanner<Void, Void>() {
                @Override
                public Void visitMethod(MethodTree method, Void unused) {
                    long from = positions.getStartPosition(unit, method);
                    long to = positions.getEndPosition(unit, method);
                    if (from >= 0 && to >= 0)
                        visitor.found(
                                method, lines.getLineNumber(to) - lines.getLineNumber(from) + 1);
                    return super.visitMethod(method, null);
                }
            }.scan(unit, null);
        }

        void types(java.util.function.Consumer<ClassTree> visitor) {
            new TreePathScanner<Void, Void>() {
                @Override
                public Void visitClass(ClassTree type, Void unused) {
                    visitor.accept(type);
                    return super.visitClass(type, null);
                }
            }.scan(unit, null);
        }
    }

    private static List<Parsed> parsed() {
        var compiler = ToolProvider.getSystemJavaCompiler();
        try (var files = compiler.getStandardFileManager(null, null, null)) {
            var task =
                    (JavacTask)
                            compiler.getTask(
                                    null,
                                    files,
                                    null,
                                    null,
                                    null,
                                    files.getJavaFileObjectsFromPaths(Sources.main()));
            var trees = Trees.instance(task);
            var parsed = new ArrayList<Parsed>();
            for (var unit : task.parse()) {
                parsed.add(
                        new Parsed(
                                unit, trees, Sources.name(Path.of(unit.getSourceFile().toUri()))));
            }
            return parsed;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
