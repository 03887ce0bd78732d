package dev.coppice.operations;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;

import dev.coppice.access.Need;
import dev.coppice.kernel.BlueprintRefusal;
import dev.coppice.kernel.Outcome;
import dev.coppice.kernel.RequestRefusal;
import dev.coppice.operation.Operation;
import dev.coppice.wire.Call;
import dev.coppice.wire.Field;
import dev.coppice.wire.Method;
import dev.coppice.wire.Shape;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Paths of the originals that are not offered yet. Registries are empty, so their clients can list
 * them and find no entry; additions are refused by the name of the feature.
 */
public final class LaterOperations {
    private LaterOperations() {}

    /** The entries of a registry. */
    record Entries(@JsonValue List<String> entries) {
        @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
        Entries {}
    }

    /** The entry of a registry that the path names. */
    record Entry(@Field("its name") String name) {}

    public static List<Operation<?, ?>> all() {
        var all = new ArrayList<Operation<?, ?>>();
        registry(all, "/capabilities", "Capabilities", "Capability");
        registry(all, "/scripts", "Scripts", "Script");
        all.add(missing(Method.GET, "/scripts/{name}/download", "Script"));
        registry(all, "/mcp-servers", "The MCP server registry", "MCP server");
        all.add(missing(Method.PUT, "/mcp-servers/{name}", "MCP server"));
        all.add(later(Method.GET, "/config/export", "Export of the configuration"));
        all.add(later(Method.POST, "/config/import", "Import of a configuration"));
        all.add(later(Method.GET, "/hooks", "Run hooks"));
        all.add(later(Method.POST, "/hooks", "Run hooks"));
        return all;
    }

    private static void registry(
            List<Operation<?, ?>> all, String path, String what, String entry) {
        var list = call(Method.GET, path, Call.Nothing.class, Entries.class, what + ": none yet");
        all.add(Operation.of(list, Need.READ, (_, _) -> Outcome.done(new Entries(List.of()))));
        all.add(later(Method.POST, path, what));
        for (var method : List.of(Method.GET, Method.PATCH, Method.DELETE)) {
            all.add(missing(method, path + "/{name}", entry));
        }
    }

    private static Operation<?, ?> later(Method method, String path, String what) {
        var call =
                call(
                        method,
                        path,
                        Call.Nothing.class,
                        Call.Empty.class,
                        what + ": not offered yet");
        return Operation.of(
                call, need(method), (_, _) -> Outcome.refused(new RequestRefusal.NotOffered(what)));
    }

    private static Operation<?, ?> missing(Method method, String path, String what) {
        var call = call(method, path, Entry.class, Call.Empty.class, what + ": there is none yet");
        return Operation.of(
                call,
                need(method),
                (_, in) -> Outcome.refused(new BlueprintRefusal.EntryUnknown(what, in.name())));
    }

    private static Need need(Method method) {
        return method == Method.GET ? Need.READ : Need.DEFINE;
    }

    private static <I extends Record, O> Call<I, O> call(
            Method method, String path, Class<I> input, Class<O> output, String says) {
        var name = Shape.word(method) + path.replaceAll("[{}]", "").replaceAll("[/-]+", "_");
        return new Call<>(name, method, path, input, output, says, Set.of(Call.Trait.ORIGINAL));
    }
}
