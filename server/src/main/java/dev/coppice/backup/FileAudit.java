package dev.coppice.backup;

import dev.coppice.audit.Act;
import dev.coppice.audit.Audit;
import dev.coppice.kernel.Transactions;
import dev.coppice.removal.Removal;
import dev.coppice.session.Session;

import org.jspecify.annotations.Nullable;

import java.time.InstantSource;

/** Audits which caller wrote a backup, or fetched a backup or a file of preserved work. */
public final class FileAudit {
    private final Transactions transactions;
    private final Audit audit;
    private final InstantSource clock;

    public FileAudit(Transactions transactions, Audit audit, InstantSource clock) {
        this.transactions = transactions;
        this.audit = audit;
        this.clock = clock;
    }

    public void written(Session top, Removal.Backup backup, Act.Who by) {
        var detail = "%s, SHA-256 %s".formatted(backup.file(), backup.sha256());
        append("backup.write", new Whose(top.id().value(), top.name(), null), detail, by);
    }

    /** Records that a file was fetched; without a removal, by the name of the file alone. */
    public void fetched(String act, @Nullable Removal removal, String file, Act.Who by) {
        var whose =
                removal == null
                        ? new Whose(null, null, null)
                        : new Whose(
                                removal.top().id().value(),
                                removal.top().name(),
                                removal.id().value());
        append(act, whose, file, by);
    }

    private record Whose(
            @Nullable String session, @Nullable String name, @Nullable String removal) {}

    private void append(String act, Whose whose, String detail, Act.Who by) {
        var what = new Act.What(act, whose.session(), whose.name(), whose.removal(), detail);
        var done = new Act(clock.instant(), by, what, Act.Decision.allowed(null), null, null);
        transactions.write(() -> {
            audit.append(done);
            return done;
        });
    }
}
