package dev.coppice.operations;

import dev.coppice.access.Need;
import dev.coppice.kernel.Outcome;
import dev.coppice.kernel.RequestRefusal;
import dev.coppice.operation.Operation;
import dev.coppice.wire.Call;
import dev.coppice.wire.Method;
import dev.coppice.wire.Shape;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Paths of the originals that are not offered yet. Their refusals name the feature. */
public final class LaterOperations {
    private LaterOperations() {}

    public static List<Operation<?, ?>> all() {
        var all = new ArrayList<Operation<?, ?>>();
        collection(all, "/capabilities", "Capabilities");
        collection(all, "/scripts", "Scripts");
        all.add(later(Method.GET, "/scripts/{name}/download", "Scripts"));
        collection(all, "/mcp-servers", "The MCP server registry");
        all.add(later(Method.PUT, "/mcp-servers/{name}", "The MCP server registry"));
        all.add(later(Method.GET, "/config/export", "Export of the configuration"));
        all.add(later(Method.POST, "/config/import", "Import of a configuration"));
        collection(all, "/hooks", "Run hooks");
        return all;
    }

    private static void collection(List<Operation<?, ?>> all, String path, String what) {
        all.add(later(Method.GET, path, what));
        all.add(later(Method.POST, path, what));
        all.add(later(Method.GET, path + "/{name}", what));
        all.add(later(Method.PATCH, path + "/{name}", what));
        all.add(later(Method.DELETE, path + "/{name}", what));
    }

    private static Operation<?, ?> later(Method method, String path, String what) {
        var name = Shape.word(method) + path.replaceAll("[{}]", "").replaceAll("[/-]+", "_");
        var call =
                new Call<>(
                        name,
                        method,
                        path,
                        Call.Nothing.class,
                        Call.Empty.class,
                        what + ": not offered yet",
                        Set.of());
        var need = method == Method.GET ? Need.READ : Need.DEFINE;
        return Operation.of(
                call, need, (_, _) -> Outcome.refused(new RequestRefusal.NotOffered(what)));
    }
}
