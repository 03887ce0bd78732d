package dev.coppice.cli;

import dev.coppice.kernel.Counted;
import dev.coppice.wire.Json;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Takes a session away with all below it, after showing what that means. */
final class Remove implements Command {
    /** Unsaved work that is shown, so that a large tree still fits on a screen. */
    private static final int DIRECTORIES_MAX = 12;

    @Override
    public String name() {
        return "rm";
    }

    @Override
    public Usage usage() {
        return Usage.of(
                "Take a session and its tree away; can be undone for a week",
                List.of("[NAME]"),
                List.of(
                        Option.flag("yes", "do not ask").as("y"),
                        Option.flag("dry-run", "only show what would happen"),
                        Option.flag("stop", "stop what still runs"),
                        Option.flag("detach", "let the children stay, as roots of their own"),
                        Option.flag("only", "refuse when there are children"),
                        Option.flag("override", "break off critical operations; needs --reason"),
                        Option.flag("now", "delete for good, with no time for an undo"),
                        Option.flag("abandon", "go on without what cannot be stopped in time"),
                        Option.flag(
                                "discard", "throw unsaved work away, exactly what the plan shows"),
                        Option.flag("no-backup", "write no backup"),
                        Option.of("ignored", "WORD", "what git ignores: list, keep or skip; list"),
                        Option.flag("include-dir", "also keep directories Coppice has not made"),
                        Option.of("deadline", "TIME", "how long stopping may take; 60s"),
                        Option.of("reason", "TEXT", "why, for those who look later"),
                        Option.of("confirm", "DIGEST", "only if the plan still has this digest"),
                        Option.flag("finished", "instead of NAME: all that have ended"),
                        Option.of("older-than", "TIME", "the same, so long ago or longer"),
                        Option.of(
                                "match",
                                "PATTERN",
                                "instead of NAME: whose names begin so, or are so: test-*-old"),
                        Option.of("below", "NAME", "instead of NAME: those below this one")),
                """
                Shows the plan and asks. The digest in it stands for what was shown: when it
                is no longer true, nothing is done. What was removed is out of sight at once,
                comes back with 'coppice undo', and is deleted when its time is over.
                What chooses many can be combined, and takes the highest that all of it is
                true of, each with everything below it.

                  coppice rm plan --dry-run
                  coppice rm plan --stop --reason "wrong branch"
                  coppice rm --finished --older-than 7d --yes
                  coppice rm --match 'test-*' --stop --dry-run
                """);
    }

    @Override
    public Exit run(Args args, Console console) {
        var connection = Connection.open(args, console);
        var name = args.wordOrNull(0);
        if (name == null) return new RemoveMany(connection, args, console).run();
        if (RemoveMany.isAsked(args)) {
            throw new Args.Wrong("NAME does not go together with what chooses many");
        }
        var id = connection.id(name);
        var plan = plan(connection, args, id);
        if (args.has("dry-run")) {
            console.out().print(args.has(Option.JSON) ? plan + "\n" : shown(plan));
            return plan.get("allowed").asBoolean() ? Exit.OK : Exit.REFUSED;
        }
        if (!args.has(Option.JSON)) console.err().print(shown(plan));
        boolean allowed = plan.get("allowed").asBoolean();
        if (allowed && !args.has("yes") && args.value("confirm") == null && !agreed(console)) {
            console.err().println("nothing was done");
            return Exit.REFUSED;
        }
        var request = choices(args);
        request.put("confirm", args.value("confirm", Shown.text(plan, "digest")));
        return said(remove(connection, id, request), args, console);
    }

    private static boolean agreed(Console console) {
        if (!console.isTerminal()) throw new Args.Wrong("nobody can be asked here; say --yes");
        console.err().print("Remove this? [y/N] ");
        console.err().flush();
        return console.line().strip().toLowerCase(Locale.ROOT).startsWith("y");
    }

    static ObjectNode choices(Args args) {
        var request = Json.object();
        if (args.has("stop")) request.put("running", "stop");
        if (args.has("detach")) request.put("children", "detach");
        if (args.has("only")) request.put("children", "refuse");
        if (args.has("override")) request.put("critical", "override");
        if (args.has("now")) request.put("purge", "now");
        if (args.has("abandon")) request.put("unreachable", "abandon");
        if (args.has("discard")) request.put("work", "discard");
        if (args.has("no-backup")) request.put("backup", "no");
        if (args.has("include-dir")) request.put("directories", "all");
        for (var field : List.of("deadline", "reason", "ignored")) {
            if (args.value(field) != null) request.put(field, args.value(field));
        }
        return request;
    }

    static JsonNode remove(Connection connection, String id, ObjectNode request) {
        return connection.post("/sessions/" + Connection.part(id) + "/removal?wait=1h", request);
    }

    static JsonNode plan(Connection connection, Args args, String id) {
        var query = new StringBuilder("/sessions/" + Connection.part(id) + "/removal-plan?");
        choices(args)
                .properties()
                .forEach(f ->
                        query.append(f.getKey())
                                .append('=')
                                .append(Connection.part(f.getValue().asString()))
                                .append('&'));
        return connection.get(query.toString());
    }

    /** One line for each thing that there is, and none for what there is not. */
    private static String shown(JsonNode plan) {
        var text = new StringBuilder();
        boolean alone = "detach".equals(Shown.text(plan.path("choices"), "children"));
        var what = alone ? "alone; its children stay as roots" : "and all below it";
        text.append("%s %s%n".formatted(Shown.text(plan, "session_name"), what));
        var states = states(plan.get("sessions_by_state"));
        line(text, "sessions", "%s (%s)".formatted(Shown.text(plan, "sessions"), states));
        line(text, "running", names(plan.get("running"), "session_name"));
        line(text, "runs", runs(plan));
        counted(text, plan, "processes", "of agents and what they have started");
        var size = size(plan.get("event_bytes").asLong());
        line(text, "events", "%s, %s".formatted(Shown.text(plan, "events"), size));
        counted(text, plan, "open_callbacks", "owed to it, which will reach nobody");
        counted(text, plan, "owed_callbacks", "owed by it: its parent hears that it is removed");
        line(text, "critical", names(plan.get("critical_operations"), "what"));
        work(text, plan.get("work"));
        for (var unseen : unseen(plan)) line(text, "unknown", unseen);
        for (var earlier : plan.get("earlier_removals")) {
            line(
                    text,
                    "earlier",
                    "%s of %s, with %s%s; goes along when this is purged"
                            .formatted(
                                    Shown.text(earlier, "removal_id"),
                                    Shown.text(earlier, "session_name"),
                                    Counted.sessions(earlier.get("sessions").asLong()),
                                    earlier.get("backed_up").asBoolean() ? "" : ", no backup"));
        }
        for (var refusal : plan.get("refusals")) {
            line(text, "refused", Shown.text(refusal, "said"));
            line(text, "", Shown.text(refusal, "advice"));
        }
        if (plan.path("needs_confirm").asBoolean(false)) {
            line(text, "lost", "unsaved work is thrown away; say so with this digest");
        }
        line(text, "digest", Shown.text(plan, "digest"));
        return text.toString();
    }

    /** What is saved nowhere else, as far as a screen has room; of the rest how much there is. */
    private static void work(StringBuilder text, JsonNode items) {
        int unsaved = 0;
        int noted = 0;
        for (var item : items) {
            var notes = Work.notes(item);
            boolean isUnsaved = item.get("unsaved").asBoolean();
            if (!isUnsaved && notes.isEmpty()) continue;
            noted++;
            if (isUnsaved) unsaved++;
            if (noted > DIRECTORIES_MAX) continue;
            line(text, isUnsaved ? "unsaved" : "directory", Work.said(item));
            for (var note : notes) line(text, "", note);
        }
        if (noted > DIRECTORIES_MAX) {
            line(
                    text,
                    "",
                    "and %d more of them, %s with unsaved work in all; see --json"
                            .formatted(
                                    noted - DIRECTORIES_MAX,
                                    Counted.of(unsaved, "directory", "directories")));
        }
        int clean = items.size() - noted;
        if (clean == 1) line(text, "saved", "all that is in one more directory");
        if (clean > 1) line(text, "saved", "all that is in %d more directories".formatted(clean));
    }

    private static String runs(JsonNode plan) {
        long live = plan.get("live_runs").asLong();
        var all = Shown.text(plan, "runs");
        if (live == 0) return all;
        return "%s, %d of them live, %s with a lease"
                .formatted(all, live, Shown.text(plan, "leases"));
    }

    private static void counted(StringBuilder text, JsonNode plan, String what, String said) {
        long n = plan.get(what).asLong();
        var label = what.substring(what.indexOf('_') + 1);
        if (n > 0) line(text, label, n + " " + said);
    }

    /** The hosts that were not looked at, or not seen, and why. */
    static List<String> unseen(JsonNode body) {
        var said = new ArrayList<String>();
        for (var host : body.get("not_looked_at")) {
            var why = Shown.text(body.path("looks_failed"), host.asString());
            said.add(
                    why.isEmpty()
                            ? "no runner answered on " + Shown.harmless(host.asString())
                            : "on %s a runner looked in vain: %s"
                                    .formatted(Shown.harmless(host.asString()), why));
        }
        return said;
    }

    private static void line(StringBuilder text, String what, String said) {
        if (!said.isEmpty()) text.append("  %-10s %s%n".formatted(what, said));
    }

    private static String states(JsonNode states) {
        var words = new ArrayList<String>();
        states.properties().forEach(s -> words.add(s.getValue().asString() + " " + s.getKey()));
        return String.join(", ", words);
    }

    private static String names(JsonNode rows, String field) {
        var words = new ArrayList<String>();
        for (var row : rows) words.add(Shown.text(row, field));
        var shown = words.subList(0, Math.min(8, words.size()));
        return String.join(", ", shown) + (shown.size() < words.size() ? ", …" : "");
    }

    static String size(long bytes) {
        if (bytes < 10_000) return bytes + " bytes";
        return bytes < 10_000_000 ? bytes / 1000 + " kB" : bytes / 1_000_000 + " MB";
    }

    /** What became of it, and the way back. */
    static Exit said(JsonNode removal, Args args, Console console) {
        if (args.has(Option.JSON)) console.out().println(removal);
        else console.out().println(told(removal));
        for (var left : removal.path("not_kept")) {
            console.err()
                    .println(
                            "%s: %s not kept: %s"
                                    .formatted(
                                            Shown.text(left, "host"),
                                            Counted.of(
                                                    left.get("directories").size(),
                                                    "directory was",
                                                    "directories were"),
                                            Shown.text(left, "why")));
        }
        return exit(removal);
    }

    private static String told(JsonNode removal) {
        var id = Shown.text(removal, "removal_id");
        var name = Shown.text(removal, "session_name");
        return switch (Shown.text(removal, "state")) {
            case "hidden" ->
                    "%s is removed; 'coppice undo %s' brings it back until %s"
                            .formatted(name, id, Shown.text(removal, "undo_until"));
            case "purged" -> "%s is removed for good (%s)".formatted(name, id);
            case "taken_back" ->
                    "%s stays; %s was called off: %s"
                            .formatted(name, id, Shown.text(removal, "called_off"));
            case String state ->
                    "%s: %s is %s: %s".formatted(name, id, state, Shown.text(removal, "waits_for"));
        };
    }

    static Exit exit(JsonNode removal) {
        return switch (Shown.text(removal, "state")) {
            case "hidden", "purged" -> Exit.OK;
            case "taken_back" -> Exit.REFUSED;
            default -> Exit.LATE;
        };
    }
}
