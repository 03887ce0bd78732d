package dev.coppice.view;

import dev.coppice.kernel.RunId;
import dev.coppice.wire.ErrandAnswer;
import dev.coppice.wire.ErrandOrder;
import dev.coppice.wire.Json;
import dev.coppice.work.Errand;
import dev.coppice.work.WorkItem;
import dev.coppice.work.Workplace;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.ArrayList;
import java.util.List;

/** Errands and what was found by them, as they are told and shown. */
public final class WorkViews {
    private WorkViews() {}

    public static ObjectNode shown(WorkItem item) {
        var counts = item.counts();
        var kept = item.kept();
        var body =
                Json.object()
                        .put("directory", item.directory())
                        .put("host", item.host())
                        .put("kind", Views.word(item.kind()))
                        .put("commit", item.tip().commit())
                        .put("branch", item.tip().branch())
                        .put("uncommitted", counts.uncommitted())
                        .put("untracked", counts.untracked())
                        .put("stashed", counts.stashed())
                        .put("unpushed", counts.unpushed())
                        .put("ignored", counts.ignored())
                        .put("bytes", counts.bytes())
                        .put("unsaved", !counts.isNothing());
        body.set("sessions", Json.tree(item.sessions()));
        body.set("busy", Json.tree(item.busy()));
        body.set("notes", Json.tree(item.notes()));
        if (kept != null) {
            body.putObject("kept")
                    .put("ref", kept.ref())
                    .put("repository", kept.repository())
                    .put("file", kept.file())
                    .put("sha256", kept.sha256())
                    .put("size", kept.size());
        }
        return body;
    }

    public static ErrandOrder order(Errand errand) {
        return new ErrandOrder(
                errand.id().value(),
                Views.word(errand.kind()),
                errand.removal(),
                Views.word(errand.terms().ignored()),
                Views.word(errand.terms().directories()),
                errand.terms().at().toEpochMilli(),
                errand.places().stream().map(WorkViews::place).toList(),
                errand.runs().stream().map(RunId::value).toList());
    }

    private static ErrandOrder.Place place(Errand.Place place) {
        return new ErrandOrder.Place(
                place.directory(),
                place.made() == Workplace.Made.BY_COPPICE,
                place.session().value(),
                place.sessionName(),
                place.outputs(),
                place.again());
    }

    /** As a runner has told it; it says where it was found, and cannot speak for another host. */
    public static WorkItem item(ErrandAnswer.Item said, String host) {
        var kept = said.kept();
        return new WorkItem(
                host,
                said.directory(),
                WorkItem.Kind.valueOf(said.kind().toUpperCase(java.util.Locale.ROOT)),
                or(said.sessions()),
                new WorkItem.Counts(
                        said.uncommitted(),
                        said.untracked(),
                        said.stashed(),
                        said.unpushed(),
                        said.ignored(),
                        said.bytes(),
                        said.processes()),
                said.fingerprint(),
                new WorkItem.Tip(said.commit(), said.branch()),
                kept == null
                        ? null
                        : new WorkItem.Kept(
                                kept.ref(),
                                kept.repository(),
                                kept.file(),
                                kept.sha256(),
                                kept.size()),
                or(said.busy()),
                or(said.notes()));
    }

    /** As it was shown, in another place; its file is this one here. */
    public static WorkItem read(JsonNode shown, String file) {
        var kept = shown.path("kept");
        return new WorkItem(
                String.valueOf(Json.text(shown, "host")),
                String.valueOf(Json.text(shown, "directory")),
                WorkItem.Kind.valueOf(
                        String.valueOf(Json.text(shown, "kind"))
                                .toUpperCase(java.util.Locale.ROOT)),
                texts(shown, "sessions"),
                new WorkItem.Counts(
                        shown.path("uncommitted").asLong(0),
                        shown.path("untracked").asLong(0),
                        shown.path("stashed").asLong(0),
                        shown.path("unpushed").asLong(0),
                        shown.path("ignored").asLong(0),
                        shown.path("bytes").asLong(0),
                        0),
                "",
                new WorkItem.Tip(Json.text(shown, "commit"), Json.text(shown, "branch")),
                new WorkItem.Kept(
                        Json.text(kept, "ref"),
                        Json.text(kept, "repository"),
                        file,
                        Json.text(kept, "sha256"),
                        kept.path("size").asLong(0)),
                texts(shown, "busy"),
                texts(shown, "notes"));
    }

    private static List<String> texts(JsonNode shown, String field) {
        var texts = new ArrayList<String>();
        shown.path(field).forEach(text -> texts.add(text.asString()));
        return texts;
    }

    private static List<String> or(@org.jspecify.annotations.Nullable List<String> said) {
        return said == null ? List.of() : said;
    }
}
