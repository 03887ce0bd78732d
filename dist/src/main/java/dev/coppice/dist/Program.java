package dev.coppice.dist;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Programs of the machine that builds. */
final class Program {
    private Program() {}

    /** Runs a program and returns what it printed; fails with that if the program fails. */
    static String run(List<String> command) throws IOException, InterruptedException {
        var process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        var printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        int exit = process.waitFor();
        if (exit != 0) {
            throw new IOException("%s exited with %d: %s".formatted(command, exit, printed));
        }
        return printed;
    }
}
