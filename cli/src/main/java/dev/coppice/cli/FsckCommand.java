package dev.coppice.cli;

import java.util.ArrayList;
import java.util.List;

/** Looks whether any row, file, ref, process or directory points to something that is gone. */
final class FsckCommand implements Command {
    private static final Option WAIT =
            Option.of("wait", "TIME", "how long runners are waited for; 10s");

    @Override
    public String name() {
        return "fsck";
    }

    @Override
    public Usage usage() {
        return Usage.of(
                "Look whether anything points to something that is gone",
                List.of(),
                List.of(WAIT),
                """
                Reads the whole database and the directory of backups, and has the runners look
                for refs, processes, directories and output of what is gone. Changes nothing;
                'coppice doctor' ends what should not run.
                """);
    }

    private static String path(Args args) {
        var wait = args.value("wait");
        return wait == null ? "/fsck" : "/fsck?wait=" + Connection.part(wait);
    }

    @Override
    public Exit run(Args args, Console console) {
        var found = Connection.open(args, console).get(path(args));
        boolean ok = found.get("ok").asBoolean();
        if (args.has(Option.JSON)) console.out().println(found);
        else if (ok) console.out().println("nothing points to anything that is gone");
        if (!args.has(Option.JSON)) Remove.unseen(found).forEach(console.err()::println);
        for (var leftover : found.get("leftovers")) {
            if (args.has(Option.JSON)) break;
            var some = new ArrayList<String>();
            leftover.get("some").forEach(one -> some.add(Shown.harmless(one.asString())));
            console.out()
                    .println(
                            "%s %s: %s"
                                    .formatted(
                                            Shown.text(leftover, "count"),
                                            Shown.text(leftover, "what"),
                                            String.join(", ", some)));
        }
        return ok ? Exit.OK : Exit.REFUSED;
    }
}
