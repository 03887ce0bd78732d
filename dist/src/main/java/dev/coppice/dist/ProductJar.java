package dev.coppice.dist;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;

/**
 * One jar made of the product and its libraries: each jar costs every start a look at its file. Of
 * classes for several versions of Java it has the one that this Java would load. It is not
 * compressed, because the archive is.
 */
final class ProductJar {
    private static final Pattern OF_VERSION = Pattern.compile("META-INF/versions/(\\d+)/(.+)");
    private static final String SERVICES = "META-INF/services/";

    /** Entries that no class path reads, or that stand elsewhere in the archive. */
    private static final Pattern LEFT_OUT =
            Pattern.compile(
                    "META-INF/MANIFEST[.]MF|META-INF/INDEX[.]LIST|META-INF/[^/]*[.](SF|RSA|DSA|EC)"
                            + "|(META-INF/versions/\\d+/)?module-info[.]class"
                            + "|META-INF/(maven|licenses|sbom|proguard|native-image)/.*"
                            + "|META-INF/[^/]*(LICENSE|NOTICE|DEPENDENCIES)[^/]*"
                            + "|(about|LICENSE|NOTICE)[^/]*|org/sqlite/native/.*|.*[.]proto");

    private final TreeMap<String, Entry> entries = new TreeMap<>();

    /** The bytes of an entry, the version of Java that they are for, and the jar they are from. */
    private static final class Entry {
        private final byte[] bytes;
        private final int version;
        private final String jar;

        Entry(byte[] bytes, int version, String jar) {
            this.bytes = bytes;
            this.version = version;
            this.jar = jar;
        }
    }

    /** Adds the entries of a jar. Fails if another jar has other bytes by the same name. */
    void add(Path jar) throws IOException {
        try (var zip = new ZipFile(jar.toFile())) {
            for (var entry : zip.stream().toList()) {
                var name = entry.getName();
                if (entry.isDirectory() || LEFT_OUT.matcher(name).matches()) continue;
                try (var in = zip.getInputStream(entry)) {
                    add(name, in.readAllBytes(), String.valueOf(jar.getFileName()));
                }
            }
        }
    }

    private void add(String path, byte[] bytes, String jar) throws IOException {
        var versioned = OF_VERSION.matcher(path);
        boolean isVersioned = versioned.matches();
        int version = isVersioned ? Integer.parseInt(versioned.group(1)) : 0;
        if (version > Runtime.version().feature()) return;
        var name = isVersioned ? versioned.group(2) : path;
        var before = entries.get(name);
        if (before == null) {
            entries.put(name, new Entry(bytes, version, jar));
        } else if (name.startsWith(SERVICES)) {
            var both = new ByteArrayOutputStream();
            both.write(before.bytes);
            both.write('\n');
            both.write(bytes);
            entries.put(name, new Entry(both.toByteArray(), 0, jar));
        } else if (before.jar.equals(jar)) {
            if (version > before.version) entries.put(name, new Entry(bytes, version, jar));
        } else if (!Arrays.equals(before.bytes, bytes)) {
            throw new IOException(
                    "%s and %s have different files '%s'".formatted(before.jar, jar, name));
        }
    }

    /** Writes the jar; the same entries always give the same bytes. */
    void write(Path to, LocalDateTime time) throws IOException {
        var manifest = List.of("Manifest-Version: 1.0", "Main-Class: dev.coppice.cli.Main", "", "");
        try (OutputStream file = Files.newOutputStream(to);
                var zip = new ZipOutputStream(file, StandardCharsets.UTF_8)) {
            var text = String.join("\r\n", manifest).getBytes(StandardCharsets.UTF_8);
            store(zip, "META-INF/MANIFEST.MF", text, time);
            for (var entry : entries.entrySet()) {
                store(zip, entry.getKey(), entry.getValue().bytes, time);
            }
        }
    }

    private static void store(ZipOutputStream zip, String name, byte[] bytes, LocalDateTime time)
            throws IOException {
        var crc = new CRC32();
        crc.update(bytes);
        var entry = new ZipEntry(name);
        entry.setMethod(ZipEntry.STORED);
        entry.setSize(bytes.length);
        entry.setCrc(crc.getValue());
        entry.setTimeLocal(time);
        zip.putNextEntry(entry);
        zip.write(bytes);
        zip.closeEntry();
    }
}
