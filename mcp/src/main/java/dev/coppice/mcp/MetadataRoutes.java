package dev.coppice.mcp;

import dev.coppice.access.Need;
import dev.coppice.mcp.message.Envelopes.ProtectedResource;
import dev.coppice.mcp.tool.Scope;
import dev.coppice.request.Reply;
import dev.coppice.web.Credentials;
import dev.coppice.web.Exchange;
import dev.coppice.web.Route;
import dev.coppice.wire.Call;
import dev.coppice.wire.Call.Nothing;

import java.util.List;

/**
 * Says how clients authenticate, as RFC 9728 describes it. Coppice issues its tokens itself and
 * names no authorization server.
 */
final class MetadataRoutes {
    private static final String ROOT = "/.well-known/oauth-protected-resource";
    private static final List<Call<Nothing, ProtectedResource>> CALLS =
            List.of(
                    call("read_protected_resource", ROOT),
                    call("read_mcp_resource", ROOT + "/mcp"));

    private MetadataRoutes() {}

    private static Call<Nothing, ProtectedResource> call(String name, String path) {
        return Call.get(
                name,
                path,
                Nothing.class,
                ProtectedResource.class,
                "How clients of the Model Context Protocol authenticate");
    }

    static List<Route> all() {
        return CALLS.stream()
                .map(call -> new Route(call, Need.NOTHING, MetadataRoutes::read))
                .toList();
    }

    private static Reply read(Exchange x) {
        return Reply.ok(
                new ProtectedResource(
                        Credentials.origin(x::header) + "/mcp",
                        "Coppice",
                        List.of("header"),
                        Scope.words()));
    }
}
