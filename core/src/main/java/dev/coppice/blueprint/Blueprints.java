package dev.coppice.blueprint;

import java.util.List;
import java.util.Optional;

/** All blueprints, including the built-in ones. */
public interface Blueprints {
    Optional<Blueprint> find(String name);

    List<Blueprint> all();

    void save(Blueprint blueprint);

    void remove(String name);

    boolean isBuiltIn(String name);
}
