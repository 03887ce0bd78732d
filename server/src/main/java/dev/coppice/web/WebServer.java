package dev.coppice.web;

import dev.coppice.request.Reply;
import dev.coppice.thread.Threads;
import dev.coppice.wire.Code;
import dev.coppice.wire.Problem;

import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.ConnectionFactory;
import org.eclipse.jetty.server.Handler;
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
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Executors;

/** The listening socket. Each request runs on its own virtual thread. */
public final class WebServer implements AutoCloseable {
    private static final int HEADER_BYTES_MAX = 16 * 1024;
    private static final long IDLE_MILLIS_MAX = 60_000;
    private static final long STOP_MILLIS_MAX = 3_000;
    private final Server server;
    private final HttpConfiguration configuration = new HttpConfiguration();
    private final Map<ServerConnector, RequestPipeline> doors = new HashMap<>();

    public WebServer() {
        var threads = new VirtualThreadPool();
        // The default is 200: that many followers would block all other requests.
        threads.setMaxConcurrentTasks(0);
        server = new Server(threads);
        // A reused connection would hold 100 KB of parsed headers.
        configuration.setHeaderCacheSize(0);
        configuration.setSendServerVersion(false);
        configuration.setRequestHeaderSize(HEADER_BYTES_MAX);
        server.setErrorHandler(WebServer::unreadable);
        server.setStopTimeout(0);
    }

    /** Answers requests that Jetty rejects before routing with a problem body, too. */
    private static boolean unreadable(Request request, Response response, Callback callback) {
        var problem =
                Problems.reply(
                        Code.REQUEST_UNREADABLE,
                        response.getStatus(),
                        "The request could not be read");
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, Problem.MEDIA_TYPE);
        var text = problem instanceof Reply.Text(_, _, var body) ? body : "{}";
        response.write(true, StandardCharsets.UTF_8.encode(text), callback);
        return true;
    }

    /** An open port that serves no request yet. */
    public record Port(ServerConnector connector) {
        public int number() {
            return connector.getLocalPort();
        }
    }

    /** Binds a port, which may be in use; call this before anything else is touched. */
    public Port open(String host, int port) throws IOException {
        return open(host, port, new HttpConnectionFactory(configuration));
    }

    /** Binds a port that is reached by TLS only. */
    public Port open(String host, int port, ServerTls tls) throws IOException {
        var http = tls.http(configuration);
        return open(host, port, tls.factory(http), http);
    }

    private Port open(String host, int port, ConnectionFactory... factories) throws IOException {
        var connector = new ServerConnector(server, 1, 1, factories);
        connector.setHost(host);
        connector.setPort(port);
        connector.setIdleTimeout(IDLE_MILLIS_MAX);
        connector.setAcceptQueueSize(1024);
        server.addConnector(connector);
        connector.open();
        return new Port(connector);
    }

    /** Serves this port once the server starts. */
    public void serve(Port port, RequestPipeline door) {
        doors.put(port.connector(), door);
    }

    public void start() {
        server.setHandler(new Doors(Map.copyOf(doors)));
        try {
            server.start();
        } catch (Exception e) {
            throw new IllegalStateException("the web server did not start", e);
        }
    }

    /** Passes each request to the pipeline of the port that it came to. */
    private static final class Doors extends Handler.Abstract {
        private final Map<ServerConnector, RequestPipeline> doors;

        Doors(Map<ServerConnector, RequestPipeline> doors) {
            this.doors = doors;
            doors.values().forEach(this::installBean);
        }

        @Override
        public void setServer(Server server) {
            super.setServer(server);
            doors.values().forEach(door -> door.setServer(server));
        }

        @Override
        public boolean handle(Request request, Response response, Callback callback)
                throws Exception {
            var door = doors.get(request.getConnectionMetaData().getConnector());
            return door != null && door.handle(request, response, callback);
        }
    }

    @Override
    public void close() {
        var thread = Threads.virtual("web-stop").factory();
        try (var closing = Executors.newThreadPerTaskExecutor(thread)) {
            closing.submit(
                            () -> {
                                server.stop();
                                // A server that never started does not close its port.
                                for (var each : server.getConnectors()) {
                                    if (each instanceof ServerConnector port) port.close();
                                }
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
