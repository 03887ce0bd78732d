package dev.coppice.house;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;

import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.stream.Stream;

/** The permitted dependencies between packages. */
class ArchitectureTest {
    static final JavaClasses MAIN =
            new ClassFileImporter()
                    .withImportOption(new ImportOption.DoNotIncludeTests())
                    .withImportOption(location -> !location.contains("-tests.jar"))
                    .importPackages("dev.coppice");

    static final String[] RULES = {
        "dev.coppice.audit",
        "dev.coppice.session",
        "dev.coppice.run",
        "dev.coppice.stop",
        "dev.coppice.budget",
        "dev.coppice.fleet",
        "dev.coppice.agent",
        "dev.coppice.callback",
        "dev.coppice.removal",
        "dev.coppice.work",
        "dev.coppice.journal",
        "dev.coppice.access",
        "dev.coppice.kernel"
    };
    static final List<String> FACES = List.of("mcp", "hooks", "live", "dashboard", "upkeep");

    @Test
    void packages_have_no_cycles() {
        slices().matching("dev.coppice.(*)..").should().beFreeOfCycles().check(MAIN);
        for (var module : List.of("store", "operations", "wire", "cli")) {
            slices().matching("dev.coppice.%s.(*)..".formatted(module))
                    .should()
                    .beFreeOfCycles()
                    .check(MAIN);
        }
    }

    @Test
    void the_rules_do_no_input_or_output() {
        noClasses()
                .that()
                .resideInAnyPackage(RULES)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "java.nio.file..",
                        "java.net..",
                        "java.sql..",
                        "javax.sql..",
                        "java.lang.foreign..")
                .orShould()
                .dependOnClassesThat(
                        com.tngtech.archunit.base.DescribedPredicate.describe(
                                "are java.io other than Serializable",
                                c ->
                                        c.getPackageName().equals("java.io")
                                                && !c.getSimpleName().equals("Serializable")))
                .check(MAIN);
    }

    @Test
    void the_rules_depend_only_on_the_jdk_and_each_other() {
        var known = new java.util.ArrayList<>(List.of(RULES));
        known.addAll(List.of("java..", "javax.crypto..", "org.jspecify.."));
        classes()
                .that()
                .resideInAnyPackage(RULES)
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(known.toArray(String[]::new))
                .check(MAIN);
    }

    @Test
    void faces_depend_neither_on_each_other_nor_on_the_store() {
        for (var face : FACES) {
            var others =
                    FACES.stream()
                            .filter(other -> !other.equals(face))
                            .map(other -> "dev.coppice." + other + "..")
                            .toList();
            var forbidden = new java.util.ArrayList<>(others);
            forbidden.addAll(List.of("dev.coppice.store..", "dev.coppice.boot..", "java.sql.."));
            noClasses()
                    .that()
                    .resideInAPackage("dev.coppice." + face + "..")
                    .should()
                    .dependOnClassesThat()
                    .resideInAnyPackage(forbidden.toArray(String[]::new))
                    .allowEmptyShould(true)
                    .check(MAIN);
        }
    }

    @Test
    void operations_depend_neither_on_the_store_nor_on_a_face() {
        var faces = FACES.stream().map(face -> "dev.coppice." + face + "..");
        var others = Stream.of("dev.coppice.store..", "dev.coppice.boot..");
        noClasses()
                .that()
                .resideInAnyPackage("dev.coppice.operation..", "dev.coppice.operations..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(Stream.concat(faces, others).toArray(String[]::new))
                .check(MAIN);
    }

    /** Only schemas, and documents whose content is free, are built as JSON trees. */
    @Test
    void answers_are_records() {
        noClasses()
                .that()
                .resideInAnyPackage(
                        "dev.coppice.operation..",
                        "dev.coppice.operations..",
                        "dev.coppice.view..",
                        "dev.coppice.live..",
                        "dev.coppice.web..",
                        "dev.coppice.mcp..")
                .and()
                .haveNameNotMatching(
                        ".*\\.(WireSchema|OpenApi|Tools|Handover|Briefing|JsonPrompting)")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("tools.jackson.databind.node..")
                .check(MAIN);
    }

    @Test
    void only_the_store_uses_sql() {
        noClasses()
                .that()
                .resideOutsideOfPackage("dev.coppice.store..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("java.sql..", "javax.sql..", "org.sqlite..", "org.postgresql..")
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
