package dev.coppice.house;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.name;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;

import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** The permitted dependencies between packages. */
class ArchitectureTest {
    static final JavaClasses MAIN =
            new ClassFileImporter()
                    .withImportOption(new ImportOption.DoNotIncludeTests())
                    .withImportOption(location -> !location.contains("-tests.jar"))
                    .importPackages("dev.coppice");

    /** The classes of the module {@code core}, in its directory or its jar. */
    static final DescribedPredicate<JavaClass> RULES =
            DescribedPredicate.describe(
                    "are in the module core", c -> isCore(c.getBaseComponentType()));

    private static final List<String> IO =
            List.of("java.nio.", "java.net.", "java.sql.", "javax.sql.", "java.lang.foreign.");
    static final List<String> FACES = List.of("mcp", "stream", "telemetry", "web", "upkeep");

    private static boolean isCore(JavaClass type) {
        var location = type.getSource().map(s -> s.getUri().toString()).orElse("");
        return location.contains("/core/target/classes/") || location.contains("/coppice-core");
    }

    @Test
    void the_rules_are_found() {
        assertThat(MAIN.that(RULES)).hasSizeGreaterThan(100);
    }

    @Test
    void groups_of_packages_have_no_cycles() {
        slices().matching("dev.coppice.(*)..").should().beFreeOfCycles().check(MAIN);
    }

    @Test
    void the_rules_do_no_input_or_output() {
        noClasses()
                .that(RULES)
                .should()
                .dependOnClassesThat(
                        DescribedPredicate.describe("do input or output", ArchitectureTest::isIo))
                .check(MAIN);
    }

    private static boolean isIo(JavaClass type) {
        var place = type.getPackageName() + ".";
        return switch (place) {
            case "java.nio.charset." -> false;
            case "java.io." -> !type.getSimpleName().equals("Serializable");
            case "java.lang." -> type.getSimpleName().startsWith("Process");
            default -> IO.stream().anyMatch(place::startsWith);
        };
    }

    @Test
    void the_rules_depend_only_on_the_jdk_and_each_other() {
        classes()
                .that(RULES)
                .should()
                .onlyDependOnClassesThat(
                        RULES.or(
                                JavaClass.Predicates.resideInAnyPackage(
                                        "java..",
                                        "javax.crypto..",
                                        "org.jspecify..",
                                        "dev.coppice.word..")))
                .check(MAIN);
    }

    /** The dispatcher of {@code web} carries the other faces. */
    @Test
    void faces_depend_neither_on_each_other_nor_on_the_store() {
        for (var face : FACES) {
            var others = FACES.stream().filter(f -> !f.equals(face) && !f.equals("web"));
            noClasses()
                    .that()
                    .resideInAPackage("dev.coppice." + face + "..")
                    .should()
                    .dependOnClassesThat()
                    .resideInAnyPackage(packages(others))
                    .check(MAIN);
        }
        noClasses()
                .that()
                .resideInAnyPackage(packages(Stream.concat(FACES.stream(), Stream.of("view"))))
                .should()
                .dependOnClassesThat(
                        JavaClass.Predicates.resideInAnyPackage(
                                        "dev.coppice.store..", "dev.coppice.boot..", "java.sql..")
                                .and(
                                        not(
                                                DescribedPredicate.describe(
                                                        "are faces", ArchitectureTest::isOffered))))
                .check(MAIN);
    }

    /** The classes of the boot that a face of another module is made with. */
    private static boolean isOffered(JavaClass type) {
        var outer = type.getName().replaceFirst("\\$.*", "");
        return Set.of("Face", "Ground", "Offer", "Endpoint")
                .contains(outer.substring(outer.lastIndexOf('.') + 1));
    }

    private static String[] packages(Stream<String> names) {
        return names.map(name -> "dev.coppice." + name + "..").toArray(String[]::new);
    }

    @Test
    void operations_depend_neither_on_the_store_nor_on_a_face() {
        noClasses()
                .that()
                .resideInAnyPackage("dev.coppice.request..", "dev.coppice.operations..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        packages(Stream.concat(FACES.stream(), Stream.of("store", "boot"))))
                .check(MAIN);
    }

    /** Only schemas, and documents whose content is free, are built as JSON trees. */
    @Test
    void answers_are_records() {
        noClasses()
                .that()
                .resideInAnyPackage(
                        "dev.coppice.request..",
                        "dev.coppice.operations..",
                        "dev.coppice.view..",
                        "dev.coppice.stream..",
                        "dev.coppice.web..",
                        "dev.coppice.mcp..",
                        "dev.coppice.upkeep..",
                        "dev.coppice.backup..",
                        "dev.coppice.boot..",
                        "dev.coppice.cli..")
                .and()
                .haveNameNotMatching(
                        ".*\\.(WireSchema|OpenApi|Tools|Handover|Briefing|JsonPrompting"
                                + "|Redaction|MemberText|cli.BlueprintsCommand|cli.Documents"
                                + "|cli.RegistryCommand|cli.connect.\\w+"
                                + "|RunCommand)")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("tools.jackson.databind.node..")
                .check(MAIN);
    }

    /** Their words are those of core's types, too. */
    @Test
    void commands_of_the_command_line_end_in_command() {
        classes()
                .that()
                .implement("dev.coppice.cli.engine.Command")
                .should()
                .haveSimpleNameEndingWith("Command")
                .check(MAIN);
    }

    @Test
    void only_the_store_uses_sql() {
        noClasses()
                .that()
                .resideOutsideOfPackages("dev.coppice.store..", "dev.coppice.originals..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("java.sql..", "javax.sql..", "org.sqlite..", "org.postgresql..")
                .check(MAIN);
        // Code outside the store opens, checks and closes a database, and does not query it.
        noClasses()
                .that()
                .resideOutsideOfPackages(
                        "dev.coppice.store..", "dev.coppice.originals..", "dev.coppice.bench..")
                .should()
                .dependOnClassesThat(
                        JavaClass.Predicates.resideInAPackage("dev.coppice.store.engine..")
                                .and(not(name("dev.coppice.store.engine.Database"))))
                .check(MAIN);
    }

    @Test
    void the_store_depends_on_no_face() {
        noClasses()
                .that()
                .resideInAPackage("dev.coppice.store..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("dev.coppice.wire..", "dev.coppice.web..", "dev.coppice.view..")
                .check(MAIN);
    }

    /** Each of these modules could be deleted with one line of the command line. */
    @ParameterizedTest
    @ValueSource(strings = {"originals", "mcp", "telemetry"})
    void nothing_depends_on_a_module_of_faces_but_the_command_line(String module) {
        var packages = "dev.coppice." + module + "..";
        noClasses()
                .that()
                .resideOutsideOfPackages(packages, "dev.coppice.cli..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage(packages)
                .check(MAIN);
    }

    @Test
    void the_runner_and_the_wire_do_not_depend_on_the_coordinator() {
        noClasses()
                .that()
                .resideInAnyPackage(
                        "dev.coppice.runner..", "dev.coppice.wire..", "dev.coppice.client..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "dev.coppice.store..",
                        "dev.coppice.boot..",
                        "dev.coppice.session..",
                        "dev.coppice.run..",
                        "dev.coppice.kernel..",
                        "dev.coppice.cli..")
                .check(MAIN);
    }

    @Test
    void every_package_is_null_marked() {
        assertThat(
                        MAIN.stream()
                                .map(c -> c.getPackage())
                                .distinct()
                                .filter(p -> !p.isAnnotatedWith(NullMarked.class))
                                .map(p -> p.getName()))
                .isEmpty();
    }
}
