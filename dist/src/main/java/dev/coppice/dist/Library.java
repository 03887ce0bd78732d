package dev.coppice.dist;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.zip.ZipFile;

/** A library in the archive, with its licence. */
record Library(
        Path jar, String group, String artifact, String version, String licence, String text) {
    private static final Pattern LICENCE =
            Pattern.compile("META-INF/([^/]*|licenses/.*|maven/.*)(LICENSE|NOTICE)[^/]*");
    private static final String OWN_TEXT = "-";

    /** The libraries among the jars; fails if no licence is recorded for one of them. */
    static List<Library> of(List<Path> jars) throws IOException {
        var rows = resource("libraries.txt").lines().filter(l -> !l.startsWith("#")).toList();
        var all = new ArrayList<Library>();
        for (var jar : jars) {
            var name = String.valueOf(jar.getFileName());
            if (name.startsWith("coppice-")) continue;
            all.add(
                    rows.stream()
                            .map(row -> row.split(" ", -1))
                            .filter(row -> name.matches(Pattern.quote(row[1]) + "-\\d.*[.]jar"))
                            .map(row -> row(jar, row))
                            .findFirst()
                            .orElseThrow(
                                    () -> new IOException("libraries.txt does not name " + name)));
        }
        return all;
    }

    private static Library row(Path jar, String... row) {
        var name = String.valueOf(jar.getFileName());
        var version = name.substring(row[1].length() + 1, name.length() - ".jar".length());
        return new Library(jar, row[0], row[1], version, row[2], row[3]);
    }

    String named() {
        return artifact + "-" + version;
    }

    /** Writes the texts of its licence into a directory. */
    void writeLicence(Path licences, Path apache) throws IOException {
        var to = Files.createDirectories(licences.resolve(named()));
        if (text.equals("Apache-2.0")) Files.copy(apache, to.resolve("LICENSE"));
        else if (!text.equals(OWN_TEXT))
            Files.writeString(to.resolve("LICENSE"), resource(text + ".txt"));
        int found = text.equals(OWN_TEXT) ? 0 : 1;
        try (var zip = new ZipFile(jar.toFile())) {
            for (var entry : zip.stream().toList()) {
                if (entry.isDirectory() || !LICENCE.matcher(entry.getName()).matches()) continue;
                var file = entry.getName().replaceFirst("^META-INF/", "").replace('/', '-');
                Files.write(to.resolve(file), zip.getInputStream(entry).readAllBytes());
                found++;
            }
        }
        if (found == 0) throw new IOException(named() + " has no text of its licence");
    }

    private static String resource(String name) throws IOException {
        try (var in = Library.class.getResourceAsStream(name)) {
            return new String(
                    Objects.requireNonNull(in, name).readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
