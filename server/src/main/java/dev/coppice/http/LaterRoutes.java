package dev.coppice.http;

import dev.coppice.access.Need;
import dev.coppice.kernel.RequestRefusal;
import dev.coppice.web.Method;
import dev.coppice.web.Problems;
import dev.coppice.web.Route;

import java.util.ArrayList;
import java.util.List;

/** Paths of the originals that are known and not offered yet: they say so by name. */
public final class LaterRoutes {
    private LaterRoutes() {}

    public static List<Route> routes() {
        var routes = new ArrayList<Route>();
        collection(routes, "/capabilities", "Capabilities");
        collection(routes, "/scripts", "Scripts");
        routes.add(later(Method.GET, "/scripts/{name}/download", "Scripts"));
        collection(routes, "/mcp-servers", "The MCP server registry");
        routes.add(later(Method.PUT, "/mcp-servers/{name}", "The MCP server registry"));
        routes.add(later(Method.GET, "/config/export", "Export of the configuration"));
        routes.add(later(Method.POST, "/config/import", "Import of a configuration"));
        collection(routes, "/hooks", "Run hooks");
        return routes;
    }

    private static void collection(List<Route> routes, String path, String what) {
        routes.add(later(Method.GET, path, what));
        routes.add(later(Method.POST, path, what));
        routes.add(later(Method.GET, path + "/{name}", what));
        routes.add(later(Method.PATCH, path + "/{name}", what));
        routes.add(later(Method.DELETE, path + "/{name}", what));
    }

    private static Route later(Method method, String path, String what) {
        var need = method == Method.GET ? Need.READ : Need.DEFINE;
        return Route.of(
                method,
                path,
                need,
                what + ": not offered yet",
                _ -> Problems.reply(new RequestRefusal.NotOffered(what)));
    }
}
