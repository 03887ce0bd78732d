package dev.coppice.http;

import dev.coppice.access.Need;
import dev.coppice.audit.Act;
import dev.coppice.backup.BackupsOnDisk;
import dev.coppice.backup.FileAudit;
import dev.coppice.backup.Fsck;
import dev.coppice.backup.RestoreFile;
import dev.coppice.backup.Storeroom;
import dev.coppice.kernel.Ids;
import dev.coppice.kernel.Outcome;
import dev.coppice.removal.Backups;
import dev.coppice.removal.Inventory.Leftover;
import dev.coppice.removal.Removal;
import dev.coppice.removal.Removals;
import dev.coppice.removal.UndoRemoval;
import dev.coppice.session.Session;
import dev.coppice.view.RemovalViews;
import dev.coppice.view.WorkViews;
import dev.coppice.web.Exchange;
import dev.coppice.web.Problems;
import dev.coppice.web.Reply;
import dev.coppice.web.Route;
import dev.coppice.wire.ErrandAnswer;
import dev.coppice.wire.Json;
import dev.coppice.work.Errands;
import dev.coppice.work.WorkSeen;

import org.jspecify.annotations.Nullable;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;

/** What is kept of removed sessions: their unsaved work, and backups to restore them from. */
public final class KeptRoutes {
    private static final String UPLOADS = "uploads";
    private final Room room;
    private final Kept kept;
    private final RemovalsSeen seen;
    private final Ids ids;

    /** Where it all lies, and the commands. */
    public record Kept(
            Removals removals,
            Errands errands,
            Storeroom storeroom,
            BackupsOnDisk backups,
            RestoreFile restore,
            Fsck fsck,
            FileAudit audit,
            LookingAtWork looking,
            Path directory) {}

    public KeptRoutes(Room room, Kept kept, Ids ids) {
        this.room = room;
        this.kept = kept;
        this.seen = new RemovalsSeen(room, kept.removals(), kept.errands());
        this.ids = ids;
    }

    public List<Route> routes() {
        var after = new Route.Query("after", "the cursor 'next' of the page before");
        var limit = new Route.Query("limit", "how many at most; 100 by default");
        return List.of(
                Route.get(
                                "/removals/{removal}/work",
                                Need.READ,
                                "List what was kept of unsaved work, and where",
                                this::work)
                        .with(after, limit),
                Route.get(
                                "/removals/{removal}/work/file",
                                Need.DEFINE,
                                "Fetch a file with kept work",
                                this::workFile)
                        .with(new Route.Query("file", "its name, as the list says it")),
                Route.get(
                        "/removals/{removal}/backup",
                        Need.DEFINE,
                        "Fetch the backup of a removal",
                        this::backupOf),
                Route.post(
                        "/sessions/{id}/backup",
                        Need.DEFINE,
                        "Write the session and all below it into a file",
                        this::backUp),
                Route.get(
                        "/backups/{file}", Need.DEFINE, "Fetch a backup by its name", this::backup),
                Route.post(
                                "/backups/{file}/part",
                                Need.DEFINE,
                                "Hand in a piece of a backup that is to be restored",
                                this::part)
                        .takes(ErrandAnswer.Part.class),
                Route.get(
                                "/fsck",
                                Need.DEFINE,
                                "Look whether anything points to something that is gone",
                                this::fsck)
                        .with(new Route.Query("wait", "wait for runners this long; 10s")),
                Route.post(
                        "/restores",
                        Need.DEFINE,
                        "Restore a tree from a backup: all of it or nothing",
                        this::restore));
    }

    private Reply work(Exchange x) {
        var cursor = x.cursor();
        return seen.one(
                x,
                r -> {
                    var page = kept.errands().found(r.id().value(), cursor);
                    var body = Json.object().put("removal_id", r.id().value());
                    var shown = body.putArray("work");
                    page.items().forEach(i -> shown.add(WorkViews.shown(i)));
                    return Reply.ok(body.put("next", page.next()));
                });
    }

    /** Only what this removal has kept: a name alone opens nothing. */
    private Reply workFile(Exchange x) {
        var name = String.valueOf(x.query("file"));
        var errand = name.indexOf('/') < 0 ? name : name.substring(0, name.indexOf('/'));
        return fetched(
                x,
                "work.fetch",
                r -> {
                    boolean its =
                            kept.errands()
                                    .find(new dev.coppice.work.ErrandId(errand))
                                    .filter(e -> r.id().value().equals(e.removal()))
                                    .isPresent();
                    return file(its ? keptFile(name) : null, name);
                });
    }

    private @Nullable Path keptFile(String name) {
        try {
            return kept.storeroom().file(name);
        } catch (Storeroom.NotTaken _) {
            return null;
        }
    }

    private Reply backupOf(Exchange x) {
        return fetched(
                x,
                "backup.fetch",
                r -> {
                    var backup = r.backup();
                    var name = backup == null ? "none of " + r.id() : backup.file();
                    return file(backup == null ? null : kept.directory().resolve(name), name);
                });
    }

    private Reply backup(Exchange x) {
        var name = x.path("file");
        var reply = file(known(name), name);
        if (reply instanceof Reply.File) {
            kept.audit().fetched("backup.fetch", null, name, RemovalAsked.who(x));
        }
        return reply;
    }

    /** Whoever is given a file of a removal is written down first. */
    private Reply fetched(Exchange x, String act, Function<Removal, Reply> find) {
        var of = new AtomicReference<@Nullable Removal>();
        var reply =
                seen.one(
                        x,
                        r -> {
                            of.set(r);
                            return find.apply(r);
                        });
        if (reply instanceof Reply.File(var path)) {
            var name = kept.directory().relativize(path).toString();
            kept.audit().fetched(act, of.get(), name, RemovalAsked.who(x));
        }
        return reply;
    }

    private static Reply file(@Nullable Path path, String name) {
        return path != null && Files.isRegularFile(path)
                ? new Reply.File(path)
                : Problems.reply(
                        404,
                        "file_unknown",
                        "There is no file " + name,
                        "See GET /removals/{id} and GET /removals/{id}/work for what there is.");
    }

    private Path known(String name) {
        try {
            // Its rules for names keep everyone inside of the directory.
            kept.storeroom().file(UPLOADS, name);
        } catch (Storeroom.NotTaken e) {
            throw Room.ASKED.bad("file", name, "a plain name: " + e.getMessage());
        }
        return kept.directory().resolve(name);
    }

    private static RuntimeException notTaken(String name, Storeroom.NotTaken e) {
        return Room.ASKED.bad("file", name, "handed in as it was said: " + e.getMessage());
    }

    /** Written while no transaction is open: a large tree takes its time. */
    private Reply backUp(Exchange x) {
        var allowed =
                room.transactions()
                        .read(() -> room.access().session(x.caller(), Need.ACT, x.session()));
        return x.reply(allowed, session -> backUp(session, RemovalAsked.who(x)));
    }

    private Reply backUp(Session session, Act.Who by) {
        try {
            var name = "bak_" + ids.twelveHex();
            var backup =
                    kept.looking()
                            .copied(session.id(), c -> kept.backups().write(session, name, c));
            kept.audit().written(session, backup, by);
            return Reply.created(RemovalViews.shown(backup));
        } catch (Backups.NotWritten e) {
            return Problems.reply(
                    503,
                    "backup_not_written",
                    "The backup was not written: " + e.getMessage(),
                    "Make room on the disk, and try again.");
        }
    }

    private Reply part(Exchange x) {
        var name = x.path("file");
        var part = x.body(ErrandAnswer.Part.class);
        try {
            var bytes = Base64.getDecoder().decode(String.valueOf(part.data()));
            kept.storeroom().take(UPLOADS, name, part.offset(), bytes);
            return Reply.ok(Json.object().put("ok", true));
        } catch (Storeroom.NotTaken e) {
            throw notTaken(name, e);
        } catch (IllegalArgumentException _) {
            throw Room.ASKED.bad("data", "a text", "bytes in base 64");
        }
    }

    private Reply fsck(Exchange x) {
        var patience = x.query("wait") == null ? LookingAtWork.PATIENCE : x.patience("wait");
        var found = new ArrayList<>(kept.fsck().leftovers());
        if (found.stream().anyMatch(Fsck::isDamage)) return checked(found, WorkSeen.NOTHING);
        // Who ends in this moment is over, or gone, at a second look.
        var seen = kept.looking().everywhere(patience);
        var outside = kept.fsck().leftovers(seen);
        if (!outside.isEmpty()) {
            var again = kept.looking().everywhere(patience);
            // Who does not answer twice has not taken back what it said first.
            if (again.unseenHosts().equals(seen.unseenHosts())) {
                outside = kept.fsck().leftovers(again);
            }
        }
        found.addAll(outside);
        return checked(found, seen);
    }

    private static Reply checked(List<Leftover> found, WorkSeen seen) {
        var body = Json.object().put("ok", found.isEmpty());
        body.set("leftovers", Json.tree(found));
        body.set("not_looked_at", Json.tree(seen.unseenHosts()));
        body.set("looks_failed", Json.tree(seen.failures()));
        return Reply.ok(body);
    }

    private Reply restore(Exchange x) {
        var body = x.json();
        var name = Json.text(body, "file");
        if (name == null) throw Room.ASKED.bad("file", "", "the name of a backup");
        var hash = Json.text(body, "sha256");
        if (hash != null) taken(name, hash, body.path("size").asLong(-1));
        var path = hash == null ? known(name) : kept.storeroom().file(UPLOADS, name);
        var under = Room.ASKED.sessionId(Json.text(body, "under"));
        var where =
                under != null
                        ? RestoreFile.Where.UNDER
                        : is(body, "as_root")
                                ? RestoreFile.Where.AS_ROOT
                                : RestoreFile.Where.AS_IT_WAS;
        var wanted =
                new RestoreFile.Wanted(
                        where,
                        under,
                        new RestoreFile.NewIds(
                                is(body, "new_ids") ? ids.twelveHex().substring(0, 6) : null),
                        is(body, "rename") ? UndoRemoval.Names.RENAME : UndoRemoval.Names.REFUSE,
                        Json.text(body, "removal"));
        var said = kept.directory().relativize(path).toString();
        Outcome<Removal> outcome = kept.restore().restore(said, wanted, RemovalAsked.who(x));
        return x.reply(outcome, r -> Reply.created(RemovalViews.shown(r, null)));
    }

    private void taken(String name, String hash, long size) {
        try {
            kept.storeroom().complete(UPLOADS + "/" + name, hash, size);
        } catch (Storeroom.NotTaken e) {
            throw notTaken(name, e);
        }
    }

    private static boolean is(tools.jackson.databind.JsonNode body, String field) {
        return "true".equals(Json.text(body, field)) || body.path(field).asBoolean(false);
    }
}
