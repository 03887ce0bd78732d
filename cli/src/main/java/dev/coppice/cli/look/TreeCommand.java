package dev.coppice.cli.look;

import dev.coppice.cli.engine.Args;
import dev.coppice.cli.engine.Command;
import dev.coppice.cli.engine.Connection;
import dev.coppice.cli.engine.Console;
import dev.coppice.cli.engine.Exit;
import dev.coppice.cli.engine.Option;
import dev.coppice.cli.engine.Terminal;
import dev.coppice.cli.engine.Usage;
import dev.coppice.client.CoppiceClient;
import dev.coppice.client.Pause;
import dev.coppice.client.Refused;
import dev.coppice.thread.Threads;
import dev.coppice.wire.Paging;
import dev.coppice.wire.event.EventCalls;
import dev.coppice.wire.look.OutlineCalls;
import dev.coppice.wire.look.OutlineCalls.RowView;
import dev.coppice.wire.look.TreeCalls;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Draws a tree, once or live. */
public final class TreeCommand implements Command {
    private static final Paging FIRST = Paging.FIRST;
    private static final String NONE_YET =
            "There are no sessions yet; 'coppice start NAME -p PROMPT' starts one.\n";
    private static final Duration REDRAW = Duration.ofSeconds(1);
    private static final Duration REDRAW_MIN = Duration.ofMillis(100);

    @Override
    public String name() {
        return "tree";
    }

    @Override
    public Usage usage() {
        return Usage.of(
                "Draw a tree of sessions: their states, times, and what each does",
                List.of("[NAME]"),
                List.of(
                        Option.flag("watch", "redraw on every change, until Ctrl-C").as("w"),
                        Option.flag("all", "draw each of many siblings of a kind, too")),
                """
                Without NAME, draws the newest trees. Each line ends with what the session
                does: what its agent said or used last, what it printed, what it asks, or why
                it failed. More than 20 siblings of a kind are one line, but for those that
                failed or ask. A tree that is higher than the terminal is watched in pages,
                and Enter turns the page. In a pipe, --watch draws once.
                """);
    }

    @Override
    public Exit run(Args args, Console console) {
        var connection = Connection.open(args, console);
        var name = args.wordOrNull(0);
        var top = name == null ? null : connection.id(name);
        if (args.has(Option.JSON)) {
            for (var each : top == null ? ids(roots(connection)) : List.of(top)) {
                var whole =
                        new TreeCalls.Whole(new TreeCalls.Deep(each, Trees.LEVELS, FIRST), false);
                console.out().println(connection.ask(TreeCalls.TREE, whole).text());
            }
            return Exit.OK;
        }
        // In a pipe or a file there is no screen to redraw.
        if (args.has("watch") && console.isWatched()) {
            return watch(connection, top, args, console);
        }
        var trees = drawn(connection, top, args, console);
        if (trees.isEmpty()) console.out().print(NONE_YET);
        for (var tree : trees) {
            tree.forEach(line -> console.out().print(text(line, console)));
        }
        return Exit.OK;
    }

    private static List<String> ids(List<RowView> rows) {
        return rows.stream().map(RowView::id).toList();
    }

    /** The newest roots, the oldest of them first. */
    private static List<RowView> roots(Connection connection) {
        var find = new OutlineCalls.Find(false, FIRST);
        return connection.call(OutlineCalls.TREES, find).trees().reversed();
    }

    /** The lines of each tree. */
    private static List<List<TreeDrawing.Line>> drawn(
            Connection connection, @Nullable String top, Args args, Console console) {
        var drawing = new TreeDrawing(console.size().columns(), InstantSource.system().instant());
        var trees = new ArrayList<Trees.Read>();
        if (top != null) {
            trees.add(rows(connection, top, args));
        } else {
            for (var root : roots(connection)) {
                try {
                    // A root without children is its whole tree.
                    trees.add(
                            root.children() == 0
                                    ? new Trees.Read(List.of(root), 0)
                                    : rows(connection, root.id(), args));
                } catch (Refused _) {
                    // The tree was removed since it was listed.
                }
            }
        }
        return drawing.trees(trees);
    }

    private static Trees.Read rows(Connection connection, String top, Args args) {
        return args.has("all")
                ? Trees.allRows(connection, top)
                : Trees.rows(connection, top, List.of());
    }

    private static String text(TreeDrawing.Line line, Console console) {
        return (console.isColoured() ? line.coloured() : line.text()) + "\n";
    }

    /** Redraws until Ctrl-C; without a name, shows new trees too. */
    private static Exit watch(
            Connection connection, @Nullable String top, Args args, Console console) {
        var news = new Semaphore(0);
        var page = new AtomicInteger();
        Threads.virtual("news").start(() -> listen(connection, top, news));
        if (console.terminal().has(Terminal.Stream.IN)) {
            Threads.daemon("keys").start(() -> turnPages(console, page, news));
        }
        try {
            while (true) {
                Console.redraw(frame(connection, top, args, page, console));
                news.tryAcquire(REDRAW.toMillis(), TimeUnit.MILLISECONDS);
                Pause.of(REDRAW_MIN);
                news.drainPermits();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Exit.OK;
        }
    }

    /** A page of the trees, newest first; an error message while no coordinator answers. */
    private static String frame(
            Connection connection,
            @Nullable String top,
            Args args,
            AtomicInteger page,
            Console console) {
        try {
            var trees = drawn(connection, top, args, console).reversed();
            var pages = new Pages(trees, console.size().rows());
            var text = new StringBuilder();
            pages.page(page.get()).forEach(line -> text.append(text(line, console)));
            if (trees.isEmpty()) text.append(NONE_YET);
            var footer = pages.footer(page.get());
            return text + footer;
        } catch (CoppiceClient.Unreachable e) {
            return e.getMessage() + "\nTrying again; Ctrl-C ends.\n";
        }
    }

    private static void turnPages(Console console, AtomicInteger page, Semaphore news) {
        try {
            for (int read = console.in().read(); read >= 0; read = console.in().read()) {
                if (read != '\n') continue;
                page.incrementAndGet();
                news.release();
            }
        } catch (IOException _) {
            // Standard input has ended: keep showing the current page.
        }
    }

    private static void listen(Connection connection, @Nullable String top, Semaphore news) {
        var follow = new EventCalls.Follow(null, top, EventCalls.Kinds.ALL, null, false);
        try {
            connection
                    .client()
                    .follow(
                            EventCalls.FOLLOW,
                            follow,
                            _ -> {
                                news.release();
                                return true;
                            });
        } catch (CoppiceClient.Unreachable _) {
            // The redraw polls every second, and reports that no coordinator answers.
        }
    }
}
