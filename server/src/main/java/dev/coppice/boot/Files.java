package dev.coppice.boot;

import dev.coppice.backup.BackupsOnDisk;
import dev.coppice.backup.PreservedElsewhere;
import dev.coppice.backup.RestoreFile;
import dev.coppice.backup.Strays;
import dev.coppice.backup.UploadStore;
import dev.coppice.wiring.Rules;
import dev.coppice.wiring.Store;

import java.nio.file.Path;
import java.time.InstantSource;

/** The files beside the database: backups and preserved work. */
record Files(
        Store store,
        UploadStore uploads,
        BackupsOnDisk backups,
        InstantSource clock,
        Path directory) {

    static Files in(Path directory, Store store, InstantSource clock) {
        var uploads = new UploadStore(directory.resolve("preserved"));
        var backups =
                new BackupsOnDisk(
                        store.transactions(),
                        store.treeRows(),
                        store.tasks(),
                        store.audit(),
                        uploads,
                        clock,
                        directory);
        return new Files(store, uploads, backups, clock, directory);
    }

    RestoreFile restore(Rules rules) {
        var preserved = new PreservedElsewhere(store.transactions(), store.tasks(), uploads, clock);
        return new RestoreFile(rules.restoreTree, preserved, directory);
    }

    Strays strays() {
        return new Strays(
                store.transactions(),
                store.removals(),
                store.tasks(),
                store.inventory(),
                clock,
                directory);
    }
}
