package dev.coppice.cli.engine;

import java.util.List;
import java.util.stream.Collectors;

/** Lines of comma-separated values, quoted where RFC 4180 asks for it. */
public final class Csv {
    private Csv() {}

    public static String line(List<String> values) {
        return values.stream()
                        .map(v ->
                                v.matches("(?s).*[\",\r\n].*")
                                        ? '"' + v.replace("\"", "\"\"") + '"'
                                        : v)
                        .collect(Collectors.joining(","))
                + "\r\n";
    }
}
