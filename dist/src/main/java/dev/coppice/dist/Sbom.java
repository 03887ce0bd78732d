package dev.coppice.dist;

import dev.coppice.backup.UploadStore;
import dev.coppice.wire.Json;
import dev.coppice.wire.Release;

import tools.jackson.databind.node.ObjectNode;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The list of everything in the archive, in CycloneDX. */
final class Sbom {
    private Sbom() {}

    static void write(Path to, List<Library> libraries, String java) throws IOException {
        var bom = Json.object().put("bomFormat", "CycloneDX").put("specVersion", "1.6");
        bom.put("version", 1);
        var product = Json.object().put("type", "application").put("name", "coppice");
        product.put("version", Release.ours().version());
        bom.putObject("metadata").set("component", licensed(product, "Apache-2.0"));
        var components = bom.putArray("components");
        for (var library : libraries) components.add(component(library));
        var platform = Json.object().put("type", "platform").put("name", "openjdk");
        platform.put("version", java);
        platform.put("purl", "pkg:generic/openjdk@" + java.replace("+", "%2B"));
        components.add(licensed(platform, "GPL-2.0-with-classpath-exception"));
        Files.writeString(to, Json.pretty(bom) + "\n");
    }

    private static ObjectNode component(Library library) throws IOException {
        var made = Json.object().put("type", "library").put("group", library.group());
        made.put("name", library.artifact()).put("version", library.version());
        made.put(
                "purl",
                "pkg:maven/%s/%s@%s"
                        .formatted(library.group(), library.artifact(), library.version()));
        made.putArray("hashes")
                .addObject()
                .put("alg", "SHA-256")
                .put("content", UploadStore.sha256(library.jar()));
        return licensed(made, library.licence());
    }

    private static ObjectNode licensed(ObjectNode component, String licence) {
        component.putArray("licenses").addObject().putObject("license").put("id", licence);
        return component;
    }
}
