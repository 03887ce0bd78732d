package dev.coppice.blueprints;

import dev.coppice.fleet.Runner;
import dev.coppice.fleet.Runners;
import dev.coppice.kernel.BlueprintRefusal;
import dev.coppice.kernel.Refusal;
import dev.coppice.kernel.Transactions;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Blueprints as files, the built-in ones, and those that runners brought. */
public final class AllBlueprints {
    private final FileBlueprints files;
    private final Transactions transactions;
    private final Runners runners;

    public AllBlueprints(FileBlueprints files, Transactions transactions, Runners runners) {
        this.files = files;
        this.transactions = transactions;
        this.runners = runners;
    }

    public Optional<Definition> find(String name) {
        var file = files.find(name);
        if (file.isPresent()) return file;
        return brought().stream().filter(b -> b.name().equals(name)).findFirst();
    }

    private List<Definition> brought() {
        return transactions.read(runners::all).stream()
                .flatMap(runner -> RunnerBlueprints.of(runner).stream())
                .toList();
    }

    public List<Definition> all() {
        var all = new TreeMap<String, Definition>();
        for (var blueprint : brought()) all.putIfAbsent(blueprint.name(), blueprint);
        for (var blueprint : files.all()) all.put(blueprint.name(), blueprint);
        return List.copyOf(all.values());
    }

    public void save(Definition blueprint) {
        files.save(blueprint);
    }

    public void remove(String name) {
        files.remove(name);
    }

    public boolean isBuiltIn(String name) {
        return files.isBuiltIn(name);
    }

    /** True if there is a file of this name, readable or not. */
    public boolean isFile(String name) {
        return files.has(name);
    }

    /** The names of the blueprints that are files. */
    public List<String> names() {
        return files.names();
    }

    /** The files of each of those blueprints, by their names. */
    public Map<String, Map<String, String>> files() {
        return files.files();
    }

    /** Refuses a runner that brings a blueprint under a name that is taken; empty if none is. */
    public Optional<Refusal> taken(Runner newcomer) {
        for (var blueprint : RunnerBlueprints.of(newcomer)) {
            var other = find(blueprint.name());
            if (other.isEmpty()) continue;
            var owner = RunnerBlueprints.owner(other.get());
            if (newcomer.id().value().equals(owner)) continue;
            var by = owner == null ? "a blueprint of the coordinator" : owner;
            return Optional.of(new BlueprintRefusal.RunnerBlueprintTaken(blueprint.name(), by));
        }
        return Optional.empty();
    }
}
