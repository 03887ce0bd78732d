package dev.coppice.view;

import dev.coppice.audit.AuditChain;
import dev.coppice.audit.AuditRecord;
import dev.coppice.wire.Json;

import tools.jackson.databind.node.ObjectNode;

/** The audit as it is shown: every field that its hash is made of, so that anyone can check it. */
public final class AuditViews {
    private AuditViews() {}

    public static ObjectNode shown(AuditRecord record) {
        var act = record.act();
        return Json.object()
                .put("number", record.number())
                .put("at", act.at().toString())
                .put("who", act.who().name())
                .put("right", act.who().right())
                .put("act", act.what().act())
                .put("session_id", act.what().session())
                .put("session_name", act.what().sessionName())
                .put("removal_id", act.what().removal())
                .put("detail", act.what().detail())
                .put("decision", act.decision().allowed() ? "allowed" : "refused")
                .put("reason", act.decision().reason())
                .put("before", act.before())
                .put("after", act.after())
                .put("previous", record.previous())
                .put("hash", record.hash());
    }

    public static ObjectNode shown(AuditChain.Check check) {
        var flaws = check.flaws();
        var body =
                Json.object()
                        .put("ok", flaws.isEmpty())
                        .put("records", check.records())
                        .put("head", check.head());
        var shown = body.putArray("flaws");
        for (var flaw : flaws) {
            shown.add(Json.object().put("number", flaw.number()).put("what", flaw.what()));
        }
        return body;
    }
}
