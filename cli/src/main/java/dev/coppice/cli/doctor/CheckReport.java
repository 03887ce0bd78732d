package dev.coppice.cli.doctor;

import dev.coppice.cli.engine.Args;
import dev.coppice.cli.engine.Console;
import dev.coppice.cli.engine.Exit;
import dev.coppice.cli.engine.Option;
import dev.coppice.cli.engine.Shown;
import dev.coppice.wire.Json;

import java.util.ArrayList;
import java.util.List;

/** The report of the doctor and of fsck, one line for each finding. */
final class CheckReport {
    private final List<Finding> rows = new ArrayList<>();
    private int open;

    /** A line of the report. */
    record Finding(String verdict, String what, String said) {}

    void good(String what, String said) {
        rows.add(new Finding("good", what, said));
    }

    /** Adds a finding that needs no repair here: it resolves by itself or elsewhere. */
    void told(String what, String said) {
        rows.add(new Finding("told", what, said));
    }

    void wrong(String what, String said) {
        open++;
        rows.add(new Finding("wrong", what, said));
    }

    void mended(String what, String said) {
        rows.add(new Finding("mended", what, said));
    }

    /** Prints every finding, as lines or as JSON. */
    Exit print(Args args, Console console) {
        if (args.has(Option.JSON)) console.out().println(Json.write(rows));
        else rows.forEach(row -> console.out().println(line(row)));
        return open == 0 ? Exit.OK : Exit.SICK;
    }

    private static String line(Finding finding) {
        var sign =
                switch (finding.verdict()) {
                    case "good" -> "✓";
                    case "told" -> "·";
                    case "mended" -> "+";
                    default -> "✗";
                };
        return "%s %-12s %s"
                .formatted(sign, Shown.clean(finding.what()), Shown.clean(finding.said()));
    }
}
