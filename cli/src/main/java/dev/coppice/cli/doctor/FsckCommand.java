package dev.coppice.cli.doctor;

import dev.coppice.cli.engine.Args;
import dev.coppice.cli.engine.Command;
import dev.coppice.cli.engine.Connection;
import dev.coppice.cli.engine.Console;
import dev.coppice.cli.engine.Exit;
import dev.coppice.cli.engine.Option;
import dev.coppice.cli.engine.Usage;
import dev.coppice.wire.Patience;
import dev.coppice.wire.removal.BackupCalls;

import java.util.List;

/** Finds rows, files, refs, processes and directories that refer to something that is gone. */
public final class FsckCommand implements Command {
    private static final Option WAIT =
            Option.of("wait", "TIME", "how long to wait for runners (default 10s)");

    @Override
    public String name() {
        return "fsck";
    }

    @Override
    public Usage usage() {
        return Usage.of(
                "Find references to objects that no longer exist",
                List.of(),
                List.of(WAIT),
                """
                Reads the whole database and the backup directory. Runners look for refs,
                processes, directories and output of sessions that are gone. Nothing is
                changed. 'coppice doctor' makes the same report and examines this machine,
                too; with --fix it repairs what is safe to repair. Exits with 11 if it found
                a problem.
                """);
    }

    @Override
    public Exit run(Args args, Console console) {
        var check = new BackupCalls.Check(new Patience(args.length("wait")));
        var answer = Connection.open(args, console).ask(BackupCalls.FSCK, check);
        if (args.has(Option.JSON)) {
            console.out().println(answer.text());
            return answer.value().ok() ? Exit.OK : Exit.SICK;
        }
        var findings = new CheckReport();
        new Consistency(answer.value()).add(findings);
        return findings.print(args, console);
    }
}
