package dev.coppice.blueprints;

import dev.coppice.registry.Layout;
import dev.coppice.registry.Registry;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Blueprints as files, and the built-in ones. */
public final class FileBlueprints {
    private final Registry<Definition> files;
    private final Map<String, Definition> builtIn = new TreeMap<>();

    /** {@code home} is the directory with the directories of all registries. */
    public FileBlueprints(Path home) {
        var directory = home.resolve(Layout.AGENTS.directory());
        this.files =
                new Registry<>(
                        directory,
                        Layout.AGENTS,
                        document -> BlueprintText.read(document).asText());
        for (var blueprint : BuiltIn.all()) builtIn.put(blueprint.name(), blueprint);
    }

    public Optional<Definition> find(String name) {
        return files.has(name) ? files.find(name) : Optional.ofNullable(builtIn.get(name));
    }

    public List<Definition> all() {
        var found = new TreeMap<>(builtIn);
        found.putAll(files.all());
        return List.copyOf(found.values());
    }

    boolean has(String name) {
        return files.has(name);
    }

    List<String> names() {
        return files.names();
    }

    Map<String, Map<String, String>> files() {
        var all = new TreeMap<String, Map<String, String>>();
        files.all().forEach((name, blueprint) -> all.put(name, files.files(blueprint.copy())));
        return all;
    }

    public void save(Definition blueprint) {
        files.save(blueprint.name(), blueprint.copy());
    }

    public void remove(String name) {
        files.remove(name);
    }

    /** True if it is built in and no file of the same name replaces it. */
    public boolean isBuiltIn(String name) {
        return builtIn.containsKey(name) && !files.has(name);
    }
}
