package dev.coppice.cli.hosts;

import dev.coppice.thread.Loops;

import org.jspecify.annotations.Nullable;

import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Keeps a connection to each host of a coordinator, while that runs. */
public final class HostLinks implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger("hosts");
    private static final Duration LOOK = Duration.ofSeconds(1);

    private final Path data;
    private final HostFiles files;
    private final Loops loops = new Loops();
    private final Map<String, Link> links = new HashMap<>();
    private final Set<String> damaged = new HashSet<>();
    private final CountDownLatch closed = new CountDownLatch(1);

    private HostLinks(Path data) {
        this.data = data;
        this.files = HostFiles.in(data);
    }

    /** Begins with the hosts of this data directory; later ones are found within seconds. */
    public static HostLinks of(Path data) {
        var all = new HostLinks(data.toAbsolutePath().normalize());
        all.loops.start("hosts", all::isOpen, all::look);
        return all;
    }

    private boolean isOpen() {
        return closed.getCount() > 0;
    }

    private void look() throws InterruptedException {
        var names = files.names();
        synchronized (links) {
            if (!isOpen()) return;
            links.entrySet()
                    .removeIf(each -> {
                        var now = found(each.getKey());
                        boolean isOver = !each.getValue().host().equals(now);
                        if (isOver) each.getValue().close();
                        return isOver;
                    });
            for (var name : names) {
                var host = found(name);
                if (host == null || links.containsKey(name)) continue;
                if (links.size() < HostFiles.HOSTS_MAX) begin(name, host);
            }
        }
        var _ = closed.await(LOOK.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** A damaged file is as good as none, and disturbs no other host. */
    private @Nullable SshHost found(String name) {
        try {
            return files.find(name);
        } catch (RuntimeException e) {
            if (damaged.add(name)) {
                LOG.log(System.Logger.Level.WARNING, "the file of host " + name, e);
            }
            return null;
        }
    }

    private void begin(String name, SshHost host) {
        var link = new Link(host, data);
        links.put(name, link);
        loops.start("host-" + name, link::isOpen, link::connect);
    }

    @Override
    public void close() {
        closed.countDown();
        synchronized (links) {
            links.values().forEach(Link::close);
        }
    }
}
