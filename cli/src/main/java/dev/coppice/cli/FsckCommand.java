package dev.coppice.cli;

import dev.coppice.wire.Patience;
import dev.coppice.wire.removal.BackupCalls;

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

    @Override
    public Exit run(Args args, Console console) {
        var check = new BackupCalls.Check(new Patience(args.length("wait")));
        var answer = Connection.open(args, console).ask(BackupCalls.FSCK, check);
        var found = answer.value();
        if (args.has(Option.JSON)) {
            console.out().println(answer.body());
            return found.ok() ? Exit.OK : Exit.REFUSED;
        }
        if (found.ok()) console.out().println("nothing points to anything that is gone");
        Remove.unseen(found.notLookedAt(), found.looksFailed()).forEach(console.err()::println);
        for (var leftover : found.leftovers()) {
            var some = leftover.some().stream().map(Shown::harmless).toList();
            console.out()
                    .println(
                            "%s %s: %s"
                                    .formatted(
                                            leftover.count(),
                                            Shown.harmless(leftover.what()),
                                            String.join(", ", some)));
        }
        return found.ok() ? Exit.OK : Exit.REFUSED;
    }
}
