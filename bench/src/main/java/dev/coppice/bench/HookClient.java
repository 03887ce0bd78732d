package dev.coppice.bench;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * One kept connection that posts to either server. It only looks at the status and the length of an
 * answer, so that the client costs little beside the server.
 */
final class HookClient implements AutoCloseable {
    private static final String LENGTH = "content-length:";
    private final Socket socket;
    private final InputStream in;
    private final OutputStream out;
    private final String head;

    /** {@code token} is empty for a server that needs none. */
    HookClient(int port, String token) throws IOException {
        socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setTcpNoDelay(true);
        in = new BufferedInputStream(socket.getInputStream(), 64 * 1024);
        out = socket.getOutputStream();
        head =
                "Host: 127.0.0.1:%d\r\nContent-Type: application/json\r\n%s"
                        .formatted(
                                port,
                                token.isEmpty() ? "" : "Authorization: Bearer " + token + "\r\n");
    }

    /** Returns the bytes of a request, which can be sent any number of times. */
    byte[] post(String path, String body) {
        var bytes = body.getBytes(StandardCharsets.UTF_8);
        var request =
                "POST %s HTTP/1.1\r\n%sContent-Length: %d\r\n\r\n"
                        .formatted(path, head, bytes.length);
        return (request + body).getBytes(StandardCharsets.UTF_8);
    }

    byte[] get(String path) {
        return "GET %s HTTP/1.1\r\n%s\r\n".formatted(path, head).getBytes(StandardCharsets.UTF_8);
    }

    /** Sends a request and reads its answer to the end. */
    void send(byte[] request) {
        try {
            out.write(request);
            out.flush();
            var status = line();
            if (!status.contains(" 200 ")) throw new IllegalStateException(status);
            int length = 0;
            for (var line = line(); !line.isEmpty(); line = line()) {
                if (line.toLowerCase(Locale.ROOT).startsWith(LENGTH)) {
                    length = Integer.parseInt(line.substring(LENGTH.length()).strip());
                }
            }
            in.skipNBytes(length);
        } catch (IOException e) {
            throw new IllegalStateException("sending", e);
        }
    }

    private String line() throws IOException {
        var line = new StringBuilder();
        int c = in.read();
        while (c != '\n') {
            if (c < 0) throw new IOException("the server hung up");
            if (c != '\r') line.append((char) c);
            c = in.read();
        }
        return line.toString();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
