package dev.coppice.dashboard;

import dev.coppice.access.Need;
import dev.coppice.request.Reply;
import dev.coppice.web.Exchange;
import dev.coppice.web.Problems;
import dev.coppice.web.Route;
import dev.coppice.wire.Call;
import dev.coppice.wire.Field;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;

/**
 * Serves the files of the dashboard. They hold no data and need no token: the page gets one by a
 * sign-in, and sends it with every request.
 */
public final class DashboardRoutes {
    private static final Call<Call.Nothing, Call.Bytes> PAGE =
            Call.get("open_dashboard", "/", Call.Nothing.class, Call.Bytes.class, "The dashboard");
    private static final Call<Named, Call.Bytes> FILE =
            Call.get(
                    "read_dashboard_file",
                    "/ui/{folder}/{file}",
                    Named.class,
                    Call.Bytes.class,
                    "A script or style sheet of the dashboard");

    private static final Pattern FOLDER = Pattern.compile("[a-z]{1,20}");
    private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9-]{0,40}\\.(js|css|svg)");

    /**
     * Nothing from outside is loaded, no script or style stands in the page, no text becomes
     * markup, and no other page may frame this one.
     */
    private static final String POLICY =
            String.join(
                    "; ",
                    "default-src 'none'",
                    "script-src 'self'",
                    "style-src 'self'",
                    "img-src 'self' data:",
                    "connect-src 'self'",
                    "base-uri 'none'",
                    "form-action 'none'",
                    "frame-ancestors 'none'",
                    "require-trusted-types-for 'script'",
                    "trusted-types 'none'");

    private static final Map<String, String> HEADERS =
            Map.of(
                    "Content-Security-Policy", POLICY,
                    "Referrer-Policy", "no-referrer",
                    "Cross-Origin-Opener-Policy", "same-origin",
                    "Cross-Origin-Resource-Policy", "same-origin",
                    "Cache-Control", "no-cache",
                    "Vary", "Accept-Encoding");

    /** Caches only files that exist. */
    private static final Map<String, Asset> READ = new ConcurrentHashMap<>();

    private DashboardRoutes() {}

    /** A file in a folder. */
    private record Named(@Field("its folder") String folder, @Field("its name") String file) {}

    public static List<Route> all() {
        return List.of(
                new Route(PAGE, Need.NOTHING, x -> serve(x, "index.html")),
                new Route(FILE, Need.NOTHING, x -> file(x, x.path("folder"), x.path("file"))));
    }

    private static Reply file(Exchange x, String folder, String name) {
        boolean isName = FOLDER.matcher(folder).matches() && NAME.matcher(name).matches();
        return isName ? serve(x, folder + "/" + name) : missing(x);
    }

    private static Reply serve(Exchange x, String name) {
        var asset = READ.computeIfAbsent(name, Asset::read);
        if (asset == null) return missing(x);
        var headers = new HashMap<>(HEADERS);
        headers.put("ETag", asset.tag());
        if (asset.tag().equals(x.header("If-None-Match"))) {
            return new Reply.With(new Reply.Nothing(304), headers);
        }
        var accepted = x.header("Accept-Encoding");
        boolean isCompressed = accepted != null && accepted.contains("gzip");
        if (isCompressed) headers.put("Content-Encoding", "gzip");
        Reply.Feed feed = isCompressed ? asset::writeCompressed : asset::writePlain;
        return new Reply.With(new Reply.Document(asset.mediaType(), feed), headers);
    }

    private static Reply missing(Exchange x) {
        return Problems.nothingAt(x.request().path());
    }
}
