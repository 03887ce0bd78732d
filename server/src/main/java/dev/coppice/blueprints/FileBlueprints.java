package dev.coppice.blueprints;

import dev.coppice.blueprint.Blueprint;
import dev.coppice.blueprint.Blueprints;
import dev.coppice.registry.Layout;
import dev.coppice.registry.Registry;
import dev.coppice.wire.Json;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Blueprints as files, and the built-in ones. */
public final class FileBlueprints implements Blueprints {
    private final Registry<Blueprint> files;
    private final Map<String, Blueprint> builtIn = new TreeMap<>();

    /** {@code home} is the directory with the directories of all registries. */
    public FileBlueprints(Path home) {
        var directory = home.resolve(Layout.AGENTS.directory());
        this.files = new Registry<>(directory, Layout.AGENTS, BlueprintText::read);
        for (var blueprint : BuiltIn.all()) builtIn.put(blueprint.name(), blueprint);
    }

    @Override
    public Optional<Blueprint> find(String name) {
        return files.has(name) ? files.find(name) : Optional.ofNullable(builtIn.get(name));
    }

    @Override
    public List<Blueprint> all() {
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
        files.all()
                .forEach((name, blueprint) ->
                        all.put(name, files.files(Json.read(blueprint.definition().value()))));
        return all;
    }

    @Override
    public void save(Blueprint blueprint) {
        files.save(blueprint.name(), Json.read(blueprint.definition().value()));
    }

    @Override
    public void remove(String name) {
        files.remove(name);
    }

    /** True if it is built in and no file of the same name replaces it. */
    @Override
    public boolean isBuiltIn(String name) {
        return builtIn.containsKey(name) && !files.has(name);
    }
}
