package dev.coppice.cli.doctor;

import dev.coppice.cli.engine.Connection;
import dev.coppice.cli.engine.Shown;
import dev.coppice.wire.Patience;
import dev.coppice.wire.Shape;
import dev.coppice.wire.removal.BackupCalls;
import dev.coppice.wire.removal.BackupCalls.Leftover;
import dev.coppice.wire.removal.BackupCalls.Leftover.Kind;

/**
 * The coordinator's check of rows, files and hosts. It is the whole report of fsck, and a part of
 * the doctor's, which also examines this machine.
 */
record Consistency(BackupCalls.Checked checked) {

    static Consistency ask(Connection connection, Patience runners) {
        return new Consistency(connection.call(BackupCalls.FSCK, new BackupCalls.Check(runners)));
    }

    /** True if the database itself is damaged: other answers read from it are worthless. */
    boolean isDamaged() {
        return checked.leftovers().stream().anyMatch(l -> l.kind() == Kind.DAMAGE);
    }

    /** Includes the processes of this machine, which the doctor also counts itself. */
    void add(CheckReport findings) {
        if (checked.ok()) findings.good("consistency", "no references to missing objects");
        Shown.unseen(checked.notLookedAt(), checked.looksFailed())
                .forEach(host -> findings.told("hosts", host));
        for (var leftover : checked.leftovers()) {
            findings.wrong(Shape.word(leftover.kind()), line(leftover));
        }
    }

    private static String line(Leftover leftover) {
        var some = String.join(", ", leftover.some());
        var more = leftover.count() > leftover.some().size() ? ", …" : "";
        return "%d %s: %s%s".formatted(leftover.count(), leftover.what(), some, more);
    }
}
