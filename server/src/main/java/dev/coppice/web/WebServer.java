package dev.coppice.web;

import dev.coppice.operation.Reply;
import dev.coppice.wire.Problem;

import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.VirtualThreadPool;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Executors;

/** The listening socket. Each request runs on its own virtual thread. */
public final class WebServer implements AutoCloseable {
    private static final int HEADER_BYTES_MAX = 16 * 1024;
    private static final long IDLE_MILLIS_MAX = 60_000;
    private static final long STOP_MILLIS_MAX = 3_000;
    private final Server server;
    private final ServerConnector connector;

    public WebServer(String host, int port) {
        var threads = new VirtualThreadPool();
        // The default is 200: that many followers would block all other requests.
        threads.setMaxConcurrentTasks(0);
        server = new Server(threads);
        var configuration = new HttpConfiguration();
        configuration.setSendServerVersion(false);
        configuration.setRequestHeaderSize(HEADER_BYTES_MAX);
        connector = new ServerConnector(server, 1, 1, new HttpConnectionFactory(configuration));
        connector.setHost(host);
        connector.setPort(port);
        connector.setIdleTimeout(IDLE_MILLIS_MAX);
        connector.setAcceptQueueSize(1024);
        server.addConnector(connector);
        server.setErrorHandler(WebServer::unreadable);
        server.setStopTimeout(0);
    }

    /** Answers requests that Jetty rejects before routing with a problem body, too. */
    private static boolean unreadable(Request request, Response response, Callback callback) {
        var problem =
                Problems.reply(
                        response.getStatus(),
                        "request_unreadable",
                        "The request could not be read",
                        "Send a plain HTTP request with an ordinary path and modest headers.");
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, Problem.MEDIA_TYPE);
        var text = problem instanceof Reply.Text(_, _, var body) ? body : "{}";
        response.write(true, StandardCharsets.UTF_8.encode(text), callback);
        return true;
    }

    /** Binds the port before anything else is touched: it may be in use. */
    public int open() throws IOException {
        connector.open();
        return connector.getLocalPort();
    }

    public void start(RequestPipeline door) {
        server.setHandler(door);
        try {
            server.start();
        } catch (Exception e) {
            throw new IllegalStateException("the web server did not start", e);
        }
    }

    @Override
    public void close() {
        try (var closing = Executors.newVirtualThreadPerTaskExecutor()) {
            closing.submit(
                            () -> {
                                server.stop();
                                // A server that never started does not close its port.
                                connector.close();
                                return true;
                            })
                    .get(STOP_MILLIS_MAX, java.util.concurrent.TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (java.util.concurrent.ExecutionException
                | java.util.concurrent.TimeoutException e) {
            System.getLogger("web").log(System.Logger.Level.WARNING, "web server did not stop", e);
        }
    }
}
