package dev.coppice.cli;

import dev.coppice.cli.engine.Console;
import dev.coppice.cli.engine.Exit;
import dev.coppice.thread.Threads;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;

/**
 * A short life of 'up' in a process of its own, recorded for the class cache: it starts, runs one
 * agent, removes its session and ends. Only its arguments decide what happens, not the environment.
 */
final class Rehearsal {
    private static final String SESSION = "rehearsal";

    private Rehearsal() {}

    /**
     * The arguments are an empty data directory and, for a coordinator that a Practice calls until
     * its input ends, 'serve'.
     */
    public static void main(String[] args) throws InterruptedException {
        var input = endWithInput();
        var environment = begun(args[0]);
        if (args.length > 1) {
            var first = List.of("start", Practice.SESSION, "--agent", "scripted", "-p", "say hi");
            run(environment, first);
            System.out.println("ready");
            input.join();
        }
        var start = List.of("start", SESSION, "--agent", "scripted", "-p", "say hello");
        var remove = List.of("rm", SESSION, "--yes", "--now");
        boolean isWhole = run(environment, start) == Exit.OK && run(environment, remove) == Exit.OK;
        // An incomplete rehearsal would leave classes out of the cache.
        System.exit(isWhole ? 0 : 1);
    }

    /** The settings of this machine do not count: one could name a database, or an address. */
    static Map<String, String> environment(String data) {
        return Map.of("COPPICE_DATA", data, "COPPICE_CONFIG", "/dev/null");
    }

    /** Starts a coordinator and a runner in this process; returns the environment to reach them. */
    private static Map<String, String> begun(String data) throws InterruptedException {
        var environment = environment(data);
        var ready = new CountDownLatch(1);
        Threads.daemon("up")
                .start(() -> {
                    var out = printTo(new FirstLine(ready));
                    run(environment, out, List.of("up", "--port", "0", "--json"));
                    // The coordinator did not start: the commands would reach another one.
                    System.exit(1);
                });
        ready.await();
        return environment;
    }

    private static Exit run(Map<String, String> environment, List<String> line) {
        return run(environment, printTo(OutputStream.nullOutputStream()), line);
    }

    /** Ends with the process that started this one: it holds the other end of the input. */
    static Thread endWithInput() {
        return Threads.daemon("input").start(() -> endWith(System.in));
    }

    private static void endWith(InputStream input) {
        try {
            input.transferTo(OutputStream.nullOutputStream());
        } catch (IOException _) {
            // An input that cannot be read has ended.
        }
        System.exit(0);
    }

    private static Exit run(Map<String, String> environment, PrintStream out, List<String> line) {
        return Main.run(line, new Console(environment, InputStream.nullInputStream(), out, out));
    }

    private static PrintStream printTo(OutputStream out) {
        return new PrintStream(out, true, StandardCharsets.UTF_8);
    }

    /** Reports the first line that is printed. */
    private static final class FirstLine extends OutputStream {
        private final CountDownLatch printed;

        FirstLine(CountDownLatch printed) {
            this.printed = printed;
        }

        @Override
        public void write(int each) {
            if (each == '\n') printed.countDown();
        }
    }
}
