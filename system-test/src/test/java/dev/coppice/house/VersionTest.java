package dev.coppice.house;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.wire.Json;
import dev.coppice.wire.Release;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.util.regex.Pattern;

/** The version stands in pom.xml; what repeats it there and elsewhere says the same. */
class VersionTest {
    private static final Pattern OWN =
            Pattern.compile(
                    "<groupId>dev.coppice</groupId>\\s*<artifactId>coppice</artifactId>"
                            + "\\s*<version>([^<]*)</version>");

    private static String version(String pom) {
        var found = OWN.matcher(pom);
        assertThat(found.find()).isTrue();
        return found.group(1);
    }

    @Test
    void everything_has_the_version_of_the_pom() throws IOException {
        var version = version(Files.readString(Sources.ROOT.resolve("pom.xml")));
        assertThat(Release.ours().version()).isEqualTo(version);
        for (var module : Sources.MODULES) {
            var pom = Files.readString(Sources.ROOT.resolve(module).resolve("pom.xml"));
            assertThat(version(pom)).as(module).isEqualTo(version);
        }
        var mod = "cli/src/main/resources/dev/coppice/cli/connect/mod/plugin.json";
        var plugin = Json.read(Files.readString(Sources.ROOT.resolve(mod)));
        assertThat(plugin.path("version").asString()).isEqualTo(version);
        var changes = Files.readString(Sources.ROOT.resolve("CHANGELOG.md"));
        assertThat(changes).contains("## " + version);
    }
}
