package dev.coppice.originals.family;

import dev.coppice.boot.Face;
import dev.coppice.boot.Ground;
import dev.coppice.originals.page.EventPages;
import dev.coppice.originals.page.PageStream;
import dev.coppice.web.Route;

import java.util.ArrayList;
import java.util.List;

/** The paths of the relationship server and of the hook server's pages, and the themes of both. */
public final class RelationshipServer implements Face {
    /** The port that is written into the relationship server's pages. */
    private static final int PORT = 4056;

    private static final int NEWEST_MAX = 500;

    private final EventPages hooks;
    private final List<Route> routes;
    private final PageStream pages;

    private RelationshipServer(EventPages hooks, List<Route> routes, PageStream pages) {
        this.hooks = hooks;
        this.routes = List.copyOf(routes);
        this.pages = pages;
    }

    public static RelationshipServer on(Ground ground) {
        var families = new Families();
        var agents = new AgentRoutes(ground, families, new AgentNames());
        var coverages = new Coverages(ground);
        var themes =
                new ThemeRoutes(
                        ground.scope().transactions(), new Themes(), ground.ids(), ground.clock());
        var routes = new ArrayList<>(themes.routes());
        routes.addAll(new FamilyRoutes(ground, families).routes());
        routes.addAll(agents.routes());
        return new RelationshipServer(
                new EventPages(ground),
                routes,
                new PageStream(
                        NEWEST_MAX,
                        PageStream.Order.NEWEST_FIRST,
                        caller -> new FamilyTalk(ground, agents, coverages, caller)));
    }

    @Override
    public List<Route> routes() {
        return following(PageStream.OF_HOOK_SERVER);
    }

    @Override
    public List<Route> routesAt(int port) {
        return following(port == PORT ? pages : PageStream.OF_HOOK_SERVER);
    }

    private List<Route> following(PageStream by) {
        var all = new ArrayList<>(hooks.routes(by));
        all.addAll(routes);
        return List.copyOf(all);
    }
}
