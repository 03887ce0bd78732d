package dev.coppice.bench;

import dev.coppice.bench.Verdicts.Amount;
import dev.coppice.thread.Threads;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** The time from a post until all pages that follow have the event. */
final class Followers {
    private static final int POSTS = 200;
    private static final int POSTS_PER_RECONNECT = 20;
    private static final int WAIT_SECONDS = 60;
    private static final double P99_MILLIS_MAX = 250;

    private Followers() {}

    static void measure(Verdicts verdicts, Server server, IngestBench.Target ours)
            throws Exception {
        for (int pages : List.of(1, 50, 500)) {
            try (var client = ours.client()) {
                var url = URI.create(server.coordinator().url());
                var open = new ArrayList<Page>();
                for (int i = 0; i < pages; i++) open.add(new Page(url, server.token()));
                for (var page : open) page.begun.await();
                var load = posts(client, open);
                verdicts.atMost(
                        "from a post to the last of %d pages, p99".formatted(pages),
                        Amount.millis(load.p99Millis()),
                        P99_MILLIS_MAX);
                for (var page : open) page.close();
            }
        }
    }

    private static Load posts(HookClient client, List<Page> open) throws Exception {
        var nanos = new ArrayList<Long>();
        for (int i = 0; i < POSTS; i++) {
            var mark = "mark-%d-%d-".formatted(open.size(), i);
            var all = new CountDownLatch(open.size());
            for (var page : open) page.awaits(mark, all);
            var request = client.post("/events", IngestBench.event(i).replace("toolu_", mark));
            long from = System.nanoTime();
            client.send(request);
            if (!all.await(WAIT_SECONDS, TimeUnit.SECONDS)) {
                throw new IllegalStateException(all.getCount() + " pages lost an event");
            }
            nanos.add(System.nanoTime() - from);
            if (i % POSTS_PER_RECONNECT == 0) open.get(i % open.size()).reconnect();
        }
        return Load.of(nanos, 1);
    }

    /** A page that follows. It reads whole frames of text, and looks for its mark in each. */
    private static final class Page {
        private final URI address;
        private final String token;
        private final CountDownLatch begun = new CountDownLatch(1);
        private volatile String mark = "";
        private volatile CountDownLatch seen = new CountDownLatch(0);
        private volatile Socket socket;

        Page(URI address, String token) throws IOException {
            this.address = address;
            this.token = token;
            this.socket = connected(begun);
        }

        private Socket connected(CountDownLatch beginning) throws IOException {
            var opened = new Socket(InetAddress.getLoopbackAddress(), address.getPort());
            var ask =
                    """
                    GET /stream HTTP/1.1\r
                    Host: %s\r
                    Authorization: Bearer %s\r
                    Connection: Upgrade\r
                    Upgrade: websocket\r
                    Sec-WebSocket-Version: 13\r
                    Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r
                    \r
                    """
                            .formatted(address.getAuthority(), token);
            opened.getOutputStream().write(ask.getBytes(StandardCharsets.UTF_8));
            Threads.virtual("follower").start(() -> read(opened, beginning));
            return opened;
        }

        private void read(Socket from, CountDownLatch beginning) {
            try (var in = new DataInputStream(new BufferedInputStream(from.getInputStream()))) {
                int ends = 0;
                while (ends < 4) {
                    int c = in.readUnsignedByte();
                    ends = c == '\r' || c == '\n' ? ends + 1 : 0;
                }
                while (true) {
                    in.readByte();
                    long length = in.readUnsignedByte();
                    if (length == 126) length = in.readUnsignedShort();
                    else if (length == 127) length = in.readLong();
                    look(new String(in.readNBytes((int) length), StandardCharsets.UTF_8));
                    beginning.countDown();
                }
            } catch (IOException _) {
                // The page has left.
            }
        }

        private void look(String text) {
            var wanted = mark;
            if (wanted.isEmpty() || !text.contains(wanted)) return;
            mark = "";
            seen.countDown();
        }

        void awaits(String text, CountDownLatch latch) {
            seen = latch;
            mark = text;
        }

        void reconnect() throws IOException, InterruptedException {
            close();
            var again = new CountDownLatch(1);
            socket = connected(again);
            again.await();
        }

        void close() throws IOException {
            socket.close();
        }
    }
}
