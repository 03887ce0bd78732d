package dev.coppice.originals;

import dev.coppice.boot.Face;
import dev.coppice.originals.family.RelationshipServer;
import dev.coppice.originals.removal.DeletionOperations;
import dev.coppice.originals.report.TreeReportOperations;
import dev.coppice.originals.runner.OlderRunners;

import java.util.List;

/** The faces of the older systems, which the boot is given. */
public final class Originals {
    private Originals() {}

    public static List<Face.Maker> faces() {
        return List.of(
                RelationshipServer::on,
                TreeReportOperations::new,
                DeletionOperations::new,
                OlderRunners::new);
    }
}
