package dev.coppice.mcp.call;

import dev.coppice.access.Caller;

import org.jspecify.annotations.Nullable;

import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** The tasks of this coordinator, for as long as they are valid. */
public final class Tasks {
    private static final int OF_AN_AGENT_MAX = 64;
    private static final int OF_A_ROLE_MAX = 512;
    private static final int ID_BYTES = 16;

    private final InstantSource clock;
    private final SecureRandom random = new SecureRandom();

    /** In the order of their creation. */
    private final Map<String, Task> byId = new LinkedHashMap<>();

    private final Retained retained = Retained.ofThisProcess();

    public Tasks(InstantSource clock) {
        this.clock = clock;
    }

    /** Empty if the caller has too many: the request is then answered when it is done. */
    synchronized Optional<Task> begin(Caller caller, @Nullable String name, Task.Work work) {
        forgetOld();
        int max = caller.isAgent() ? OF_AN_AGENT_MAX : OF_A_ROLE_MAX;
        var all = byId.values().stream();
        if (all.filter(t -> t.caller().key().equals(caller.key())).count() >= max) {
            return Optional.empty();
        }
        var bytes = new byte[ID_BYTES];
        random.nextBytes(bytes);
        var unique = Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
        var task =
                new Task(
                        name == null ? unique : name + "." + unique,
                        caller,
                        work,
                        clock,
                        this::keep);
        byId.put(task.id(), task);
        return Optional.of(task);
    }

    public synchronized Optional<Task> find(String id, Caller caller) {
        return Optional.ofNullable(byId.get(id))
                .filter(task -> task.caller().key().equals(caller.key()))
                .filter(task -> !task.isPast(clock.instant()));
    }

    private void keep(Task task, long chars) {
        retained.add(task, task.caller().key(), chars, () -> forget(task));
        if (!isKnown(task)) retained.forget(task);
    }

    private synchronized boolean isKnown(Task task) {
        return byId.containsKey(task.id());
    }

    private synchronized void forget(Task task) {
        byId.remove(task.id());
    }

    /** Ends and forgets tasks that are too old. */
    public synchronized void forgetOld() {
        var now = clock.instant();
        byId.values()
                .removeIf(task -> {
                    boolean isPast = task.isPast(now);
                    if (isPast) {
                        task.stop();
                        retained.forget(task);
                    }
                    return isPast;
                });
    }
}
