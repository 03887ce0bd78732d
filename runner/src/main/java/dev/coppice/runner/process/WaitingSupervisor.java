package dev.coppice.runner.process;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A supervisor that waits for its order, with the process that will become the agent already in its
 * group. Both end if the runner ends before it sends an order.
 */
final class WaitingSupervisor {
    private static final int END_SECONDS_MAX = 5;

    /** Programs get their words and environment in the encoding that the JDK uses for them. */
    private static final Charset NATIVE =
            Charset.forName(System.getProperty("sun.jnu.encoding", "UTF-8"));

    private final Process process;
    private final String group;
    private final OutputStream orders;
    private final Containment containment;

    private WaitingSupervisor(Process process, String group, Containment containment) {
        this.process = process;
        this.group = group;
        this.containment = containment;
        this.orders = process.getOutputStream();
    }

    static WaitingSupervisor start(String group, Containment containment, Supervisor supervisor)
            throws IOException {
        var entry = containment.prepare(group);
        var builder = new ProcessBuilder(supervisor.waiting(entry));
        var path = System.getenv("PATH");
        builder.environment().clear();
        if (path != null) builder.environment().put("PATH", path);
        // A supervisor may outlive the directory of every session.
        builder.directory(Path.of("/").toFile());
        builder.redirectOutput(ProcessBuilder.Redirect.DISCARD);
        builder.redirectError(ProcessBuilder.Redirect.DISCARD);
        return new WaitingSupervisor(builder.start(), group, containment);
    }

    boolean isAlive() {
        return process.isAlive() && !ProcessInfo.isDead(process.pid());
    }

    Process process() {
        return process;
    }

    String group() {
        return group;
    }

    /** Orders the start. If this fails, the order is not whole, and nothing starts. */
    void order(Supervisor.Order order, Path directory) throws IOException {
        var fields = new ArrayList<String>();
        fields.add(directory.toString());
        fields.add(order.workplace().toString());
        fields.add(Long.toString(Mark.bytes(order.run())));
        fields.add(Integer.toString(order.command().size()));
        fields.addAll(order.command());
        order.environment().forEach((name, value) -> fields.add(name + "=" + value));
        var body = body(fields);
        // A suspended supervisor does not read, so an order larger than the pipe would block.
        Native.signal(process.pid(), Native.SIGCONT);
        orders.write("%010d".formatted(body.length).getBytes(StandardCharsets.US_ASCII));
        orders.write(body);
        orders.close();
    }

    private static byte[] body(List<String> fields) {
        return (String.join("\0", fields) + "\0").getBytes(NATIVE);
    }

    /** Ends the supervisor, which has no complete order, and removes its group. */
    void dismiss() {
        // A suspended supervisor would not notice the end of its pipe.
        Native.signal(process.pid(), Native.SIGCONT);
        try {
            orders.close();
        } catch (IOException _) {
            // The supervisor has ended already.
        }
        try {
            if (!process.waitFor(END_SECONDS_MAX, TimeUnit.SECONDS)) process.destroyForcibly();
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
        containment.cleanUp(group);
    }
}
