package dev.coppice.cli.hosts;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/**
 * A machine on which a runner is kept by ssh.
 *
 * @param id stands in a file there, so that nobody deletes the directory of another coordinator
 * @param directory where the program and the runner are; absolute
 * @param program the name of the directory with the program, which changes with its content
 * @param tokenId the token of the runner there, which ends with it
 * @param port the port of that machine at which its end of the tunnel is
 * @param ssh the first words of the command line of ssh
 */
record SshHost(
        String name,
        String address,
        String id,
        String directory,
        String program,
        String tokenId,
        int port,
        List<String> ssh,
        List<String> tags,
        @Nullable String capacity) {
    /** A machine that does not answer for so long is taken for away: two lost messages. */
    private static final List<String> WATCHED =
            List.of("-o", "ServerAliveInterval=3", "-o", "ServerAliveCountMax=2");

    /**
     * ssh asks no question, since nobody would answer it, and refuses a machine with another key.
     */
    private static final List<String> ALONE =
            List.of(
                    "-T",
                    "-o",
                    "BatchMode=yes",
                    "-o",
                    "StrictHostKeyChecking=yes",
                    "-o",
                    "ConnectTimeout=3",
                    // A connection that others share would end with them.
                    "-o",
                    "ControlMaster=no",
                    "-o",
                    "ControlPath=none");

    SshHost {
        ssh = List.copyOf(ssh);
        tags = List.copyOf(tags);
    }

    /** A command line that runs the shell there, and reads its commands from standard input. */
    List<String> shell(List<String> more) {
        return line(more, "exec /bin/sh -s");
    }

    /** A command line that runs this there. */
    List<String> line(List<String> more, String command) {
        var line = new ArrayList<>(ssh);
        line.addAll(ALONE);
        line.addAll(WATCHED);
        line.addAll(more);
        line.addAll(SshAddress.of(address).words());
        line.add(command);
        return line;
    }

    /** The options with which this port of the machine leads to a port of ours. */
    List<String> tunnel(int to) {
        return List.of(
                "-o",
                "ExitOnForwardFailure=yes",
                "-R",
                "127.0.0.1:%d:127.0.0.1:%d".formatted(port, to));
    }

    SshHost at(String place, String token, int chosen) {
        return new SshHost(name, address, id, place, program, token, chosen, ssh, tags, capacity);
    }

    /** A word of a script of the shell. */
    static String quoted(String word) {
        return "'" + word.replace("'", "'\\''") + "'";
    }
}
