package dev.coppice.operations.registry;

import dev.coppice.request.Reply;
import dev.coppice.tar.Tar;
import dev.coppice.tar.Tar.Header;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPOutputStream;

/** Packs the files of entries into an archive, written while it is sent. */
final class Packing {
    private final Map<String, Map<String, String>> folders = new LinkedHashMap<>();

    void add(String folder, Map<String, String> files) {
        folders.put(folder, files);
    }

    Reply reply(String name) {
        var as = "attachment; filename=\"%s.tar.gz\"".formatted(name);
        return new Reply.With(
                new Reply.Document("application/gzip", this::write),
                Map.of("Content-Disposition", as));
    }

    private void write(OutputStream out) throws IOException {
        try (var packed = new GZIPOutputStream(out)) {
            for (var folder : folders.entrySet()) {
                put(folder.getKey() + "/", Header.DIRECTORY, 0755, "", packed);
                for (var file : folder.getValue().entrySet()) {
                    var path = folder.getKey() + "/" + file.getKey();
                    put(path, Header.FILE, 0644, file.getValue(), packed);
                }
            }
            packed.write(new byte[2 * Tar.BLOCK_BYTES]);
        }
    }

    private static void put(String path, char type, int mode, String text, OutputStream out)
            throws IOException {
        var bytes = text.getBytes(StandardCharsets.UTF_8);
        Tar.write(new Header(path, type, mode, bytes.length, Instant.EPOCH, "", List.of()), out);
        out.write(bytes);
        out.write(new byte[(int) (Tar.padded(bytes.length) - bytes.length)]);
    }
}
