package dev.coppice.web;

import dev.coppice.kernel.OnBehalf;
import dev.coppice.kernel.Rejected;
import dev.coppice.request.Reply;
import dev.coppice.thread.Threads;

import org.eclipse.jetty.io.ArrayByteBufferPool;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.BufferUtil;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.DecoratedObjectFactory;
import org.eclipse.jetty.util.component.LifeCycle;
import org.eclipse.jetty.websocket.core.CloseStatus;
import org.eclipse.jetty.websocket.core.Configuration;
import org.eclipse.jetty.websocket.core.CoreSession;
import org.eclipse.jetty.websocket.core.Frame;
import org.eclipse.jetty.websocket.core.FrameHandler;
import org.eclipse.jetty.websocket.core.OpCode;
import org.eclipse.jetty.websocket.core.WebSocketComponents;
import org.eclipse.jetty.websocket.core.WebSocketExtensionRegistry;
import org.eclipse.jetty.websocket.core.server.ServerUpgradeRequest;
import org.eclipse.jetty.websocket.core.server.ServerUpgradeResponse;
import org.eclipse.jetty.websocket.core.server.WebSocketMappings;
import org.eclipse.jetty.websocket.core.server.WebSocketNegotiator;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Turns requests into WebSockets. Each one has its own virtual thread. */
final class WebSockets implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger("web");
    private static final int TEXT_BYTES_MAX = 64 * 1024;
    private static final Duration SILENCE_MAX = Duration.ofSeconds(60);

    private final Duration writeMax;
    private final ExecutorService threads =
            Executors.newThreadPerTaskExecutor(Threads.virtual("web-socket").factory());
    private final WebSocketComponents components;
    private final WebSocketMappings mappings;

    WebSockets(Duration writeMax) {
        this.writeMax = writeMax;
        // No extension: compression costs more than it saves on one machine.
        var none = new WebSocketExtensionRegistry();
        Set.copyOf(none.getAvailableExtensionNames()).forEach(none::unregister);
        components =
                new WebSocketComponents(
                        none,
                        new DecoratedObjectFactory(),
                        new ArrayByteBufferPool(),
                        null,
                        null,
                        threads);
        LifeCycle.start(components);
        mappings = new WebSocketMappings(components);
    }

    /** Returns false if the request does not ask for a WebSocket. */
    boolean upgrade(Reply.Talk talk, Request request, Response response, Callback callback) {
        Configuration.Customizer limits =
                configuration -> {
                    configuration.setMaxTextMessageSize(TEXT_BYTES_MAX);
                    configuration.setIdleTimeout(SILENCE_MAX);
                };
        return mappings.upgrade(new Negotiator(talk), request, response, callback, limits);
    }

    @Override
    public void close() {
        LifeCycle.stop(components);
        threads.shutdownNow();
    }

    private final class Negotiator implements WebSocketNegotiator {
        private final Reply.Talk talk;

        Negotiator(Reply.Talk talk) {
            this.talk = talk;
        }

        @Override
        public FrameHandler negotiate(
                ServerUpgradeRequest request, ServerUpgradeResponse response, Callback callback) {
            return new Talker(talk);
        }
    }

    /** One open socket. It answers whole texts and pings, and ignores all other frames. */
    private final class Talker implements FrameHandler, Reply.Line {
        private final Reply.Talk talk;
        private final @Nullable String caller = OnBehalf.caller();
        private final CompletableFuture<CoreSession> opened = new CompletableFuture<>();

        Talker(Reply.Talk talk) {
            this.talk = talk;
        }

        private CoreSession session() {
            return opened.join();
        }

        @Override
        public void onOpen(CoreSession session, Callback callback) {
            opened.complete(session);
            callback.succeeded();
            threads.execute(OnBehalf.carried(caller, this::speak));
            session.demand();
        }

        private void speak() {
            try {
                talk.over(this);
                session().close(CloseStatus.NORMAL, null, Callback.NOOP);
            } catch (IOException | Rejected _) {
                // The reader is gone or too slow, or has too many sockets.
                session().abort();
            } catch (RuntimeException | Error e) {
                LOG.log(System.Logger.Level.WARNING, "a WebSocket failed", e);
                session().abort();
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
                session().close(CloseStatus.SHUTDOWN, null, Callback.NOOP);
            }
        }

        @Override
        public void onFrame(Frame frame, Callback callback) {
            var answer =
                    switch (frame.getOpCode()) {
                        case OpCode.PING ->
                                new Frame(OpCode.PONG, BufferUtil.copy(frame.getPayload()));
                        case OpCode.TEXT -> answer(frame);
                        default -> null;
                    };
            callback.succeeded();
            if (answer == null) {
                session().demand();
                return;
            }
            // Reads the next frame only when the answer is sent: a client must read to ask again.
            session().sendFrame(answer, Callback.from(session()::demand, _ -> {}), false);
        }

        private @Nullable Frame answer(Frame frame) {
            if (!frame.isFin()) return null;
            var asked = frame.getPayloadAsUTF8();
            var answer = OnBehalf.of(caller, () -> talk.answer(asked));
            return answer == null ? null : new Frame(OpCode.TEXT, answer);
        }

        @Override
        public void onError(Throwable cause, Callback callback) {
            callback.succeeded();
        }

        @Override
        public void onClosed(CloseStatus status, Callback callback) {
            callback.succeeded();
        }

        @Override
        public boolean isOpen() {
            return session().isOutputOpen() && session().isInputOpen();
        }

        @Override
        public void send(byte[] text) throws IOException, InterruptedException {
            await(new Frame(OpCode.TEXT, ByteBuffer.wrap(text)));
        }

        @Override
        public void ping() throws IOException, InterruptedException {
            await(new Frame(OpCode.PING));
        }

        private void await(Frame frame) throws IOException, InterruptedException {
            var sent = new Callback.Completable();
            session().sendFrame(frame, sent, false);
            try {
                sent.get(writeMax.toMillis(), TimeUnit.MILLISECONDS);
            } catch (ExecutionException | TimeoutException e) {
                throw new IOException("the other side does not read", e);
            }
        }
    }
}
