package dev.coppice.web;

import dev.coppice.wire.Method;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Finds the route for a path. Literal segments win over {@code {named}} ones. */
public final class Router {
    private final List<Route> routes;
    private final Map<Integer, List<Pattern>> byLength = new HashMap<>();

    public Router(List<Route> routes) {
        this.routes = List.copyOf(routes);
        for (var route : routes) {
            var segments = List.of(route.path().substring(1).split("/", -1));
            byLength.computeIfAbsent(segments.size(), _ -> new ArrayList<>())
                    .add(new Pattern(route, segments));
        }
        for (var patterns : byLength.values()) {
            patterns.sort((a, b) -> Integer.compare(a.names(), b.names()));
        }
    }

    private record Pattern(Route route, List<String> segments) {
        int names() {
            return (int) segments.stream().filter(s -> s.startsWith("{")).count();
        }

        Optional<Found> match(List<String> path) {
            var values = new HashMap<String, String>();
            for (int i = 0; i < segments.size(); i++) {
                var segment = segments.get(i);
                if (segment.startsWith("{")) {
                    values.put(segment.substring(1, segment.length() - 1), path.get(i));
                } else if (!segment.equals(path.get(i))) {
                    return Optional.empty();
                }
            }
            return Optional.of(new Found(route, values));
        }
    }

    /** A route, and the values of its named segments. */
    public record Found(Route route, Map<String, String> values) {}

    public List<Route> routes() {
        return routes;
    }

    public Optional<Found> find(Method method, List<String> path) {
        return matching(path).stream().filter(f -> f.route().method() == method).findFirst();
    }

    public List<Method> methods(List<String> path) {
        return matching(path).stream().map(f -> f.route().method()).distinct().toList();
    }

    private List<Found> matching(List<String> path) {
        return byLength.getOrDefault(path.size(), List.of()).stream()
                .flatMap(pattern -> pattern.match(path).stream())
                .toList();
    }
}
