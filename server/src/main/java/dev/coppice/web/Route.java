package dev.coppice.web;

import dev.coppice.access.Need;

import org.jspecify.annotations.Nullable;

import java.util.List;

/**
 * One endpoint: where it is, what it needs of its caller, what it says of itself, and what it does.
 * The description that is published and the matrix of who may call it are made from these.
 */
public record Route(Method method, String path, Need need, About about, Action action) {
    /** What a route does with a request. */
    public interface Action {
        Reply on(Exchange exchange);
    }

    /** What the published description says. */
    public record About(
            String summary,
            List<Query> queries,
            @Nullable Class<?> takes,
            @Nullable Class<?> gives) {
        public About {
            queries = List.copyOf(queries);
        }
    }

    /** A parameter after the question mark. */
    public record Query(String name, String meaning) {}

    public static Route get(String path, Need need, String summary, Action action) {
        return of(Method.GET, path, need, summary, action);
    }

    public static Route post(String path, Need need, String summary, Action action) {
        return of(Method.POST, path, need, summary, action);
    }

    public static Route of(Method method, String path, Need need, String summary, Action action) {
        return new Route(method, path, need, new About(summary, List.of(), null, null), action);
    }

    public Route with(Query... queries) {
        var more = new java.util.ArrayList<>(about.queries());
        more.addAll(List.of(queries));
        return new Route(
                method,
                path,
                need,
                new About(about.summary(), more, about.takes(), about.gives()),
                action);
    }

    public Route takes(Class<?> body) {
        return new Route(
                method,
                path,
                need,
                new About(about.summary(), about.queries(), body, about.gives()),
                action);
    }

    public Route gives(Class<?> body) {
        return new Route(
                method,
                path,
                need,
                new About(about.summary(), about.queries(), about.takes(), body),
                action);
    }

    /** The two queries that every list has. */
    public Route paged() {
        return with(
                new Query("after", "the cursor 'next' of the page before"),
                new Query("limit", "how many items at most; 100 by default, 1000 at most"));
    }
}
