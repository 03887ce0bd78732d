package dev.coppice.house;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.scene.Temporary;

import org.w3c.dom.Element;
import org.xml.sax.SAXException;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;

/**
 * The checks of the compiler, with the arguments of the build. One compiler for several modules
 * takes half of the time of one for each module, so {@code ./coppice test} leaves them to these
 * tests, which run beside others.
 */
final class CompilerChecks {
    static final List<String> RULES =
            List.of("words", "core", "threads", "wire", "store", "schemas");
    static final List<String> FACES = List.of("server", "telemetry", "mcp", "originals");
    private static final String CHECKS = "compiler.checks";

    private CompilerChecks() {}

    static List<String> withOwnTests() {
        return Stream.concat(RULES.stream(), FACES.stream()).toList();
    }

    /** Returns the modules that are neither {@link #RULES} nor {@link #FACES}. */
    static List<String> programs() {
        return Sources.MODULES.stream()
                .filter(module -> !RULES.contains(module) && !FACES.contains(module))
                .toList();
    }

    /** Compiles sources that see the compiled modules; returns the warnings, none as "". */
    static String warnings(List<Path> sources) {
        var files = Temporary.directory("coppice-checks");
        var command = new ArrayList<String>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "javac").toString());
        command.addAll(arguments());
        var path = System.getProperty("java.class.path");
        command.addAll(List.of("-d", files.toString(), "-cp", path, "-processorpath", path));
        command.addAll(List.of("--release", "25", "-proc:none", "-encoding", "UTF-8"));
        try {
            var list = files.resolve("sources");
            Files.write(list, sources.stream().map(Path::toString).toList());
            command.add("@" + list);
            var said = files.resolve("said");
            var javac =
                    new ProcessBuilder(command)
                            .redirectErrorStream(true)
                            .redirectOutput(said.toFile())
                            .start();
            int exit = javac.waitFor();
            return exit == 0 ? "" : "javac ended with " + exit + ":\n" + Files.readString(said);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** Returns the compiler's arguments in the root's pom, with the checks. */
    private static List<String> arguments() {
        try {
            var builder = DocumentBuilderFactory.newDefaultInstance().newDocumentBuilder();
            var pom = builder.parse(Sources.ROOT.resolve("pom.xml").toFile());
            var checks = pom.getElementsByTagName(CHECKS).item(0).getTextContent();
            var given = (Element) pom.getElementsByTagName("compilerArgs").item(0);
            var arguments = given.getElementsByTagName("arg");
            var found = new ArrayList<String>();
            for (int i = 0; i < arguments.getLength(); i++) {
                var text = arguments.item(i).getTextContent();
                found.add(text.equals("${" + CHECKS + "}") ? checks : text);
            }
            assertThat(found).contains(checks, "-Werror");
            return found;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (ParserConfigurationException | SAXException e) {
            throw new IllegalStateException(e);
        }
    }
}
