package dev.coppice.kernel;

/** Words each refusal as a fact, without advice. */
final class Facts {
    private static final int SAID_CHARS_MAX = 120;

    private Facts() {}

    static String of(Refusal refusal) {
        return switch (refusal) {
            case RequestRefusal r -> of(r);
            case SessionRefusal r -> of(r);
            case RunRefusal r -> of(r);
            case BlueprintRefusal r -> of(r);
            case CallbackRefusal r -> of(r);
            case RemovalRefusal r -> of(r);
        };
    }

    private static String of(RequestRefusal refusal) {
        return switch (refusal) {
            case RequestRefusal.BadValue(var field, var value, var rule) -> {
                yield "%s is not valid: '%s'; it must be %s".formatted(field, shortly(value), rule);
            }
            case RequestRefusal.FieldUnknown(var field, var known) ->
                    known.isEmpty()
                            ? "Unknown field: %s; this request has no fields"
                                    .formatted(shortly(field))
                            : "Unknown field: %s; the fields are %s"
                                    .formatted(shortly(field), String.join(", ", known));
            case RequestRefusal.TooLarge(var field, var size, var limit) ->
                    "%s is too large: %d bytes, the limit is %d".formatted(field, size, limit);
            case RequestRefusal.LimitReached r ->
                    ("The limit %s = %d, set by %s, would be exceeded: "
                                    + (r.isOfBytes()
                                            ? "the tree would have %d bytes"
                                            : "this would be number %d"))
                            .formatted(r.limit(), r.value(), r.setBy(), r.wanted());
            case RequestRefusal.TooMany(var what, var limit) ->
                    "This token has too many %s open at once; the limit is %d"
                            .formatted(what, limit);
            case RequestRefusal.TooOften(var what, var anHour) ->
                    "This agent made too many requests of the kind %s; the limit is %d an hour"
                            .formatted(what, anHour);
            case RequestRefusal.TokenUnknown(var token) -> "Token not found: " + token;
            case RequestRefusal.SignInUnknown _ ->
                    "This sign-in link does not work: it was used, or is older than 10 minutes";
            case RequestRefusal.TooManyTokens(var limit) ->
                    "There are already %d valid tokens, which is the limit".formatted(limit);
            case RequestRefusal.KeyUsedOtherwise(var key) ->
                    "The key '" + key + "' was used with another request";
            case RequestRefusal.NotAllowed(var what) -> "Not allowed: " + what;
            case RequestRefusal.BudgetSpent(var kind, var max, var spent, var setBy) ->
                    "The budget %s = %d of session %s is spent: %d used"
                            .formatted(kind, max, setBy, spent);
        };
    }

    private static String shortly(String text) {
        return text.length() > SAID_CHARS_MAX ? text.substring(0, SAID_CHARS_MAX) + "…" : text;
    }

    private static String of(SessionRefusal refusal) {
        return switch (refusal) {
            case SessionRefusal.SessionUnknown(var session) -> "Session not found: " + session;
            case SessionRefusal.SessionIdTaken(var session) ->
                    "A session with the id " + session + " already exists";
            case SessionRefusal.NameTaken(var name, var by) ->
                    "The name %s is taken by session %s".formatted(name, by);
            case SessionRefusal.ParentUnknown(var parent) -> "Parent session not found: " + parent;
            case SessionRefusal.ParentIsItself(var session) ->
                    "Session " + session + " cannot be its own parent";
            case SessionRefusal.ParentMakesCycle(var session, var parent) ->
                    "Session %s is above %s and cannot become its child".formatted(session, parent);
            case SessionRefusal.ParentIsFixed(var session, var has, var wanted) -> {
                var present = has == null ? "has no parent" : "has the parent " + has;
                yield "Session %s %s and cannot move to %s".formatted(session, present, wanted);
            }
            case SessionRefusal.ParentIsStopping(var parent) ->
                    "Parent session " + parent + " is being stopped; nothing can start below it";
            case SessionRefusal.WaveUnknown(var wave) -> "Wave not found: " + wave;
            case SessionRefusal.StopUnknown(var stop) -> "Stop not found: " + stop;
            case SessionRefusal.TreeIsStopping(var top) ->
                    "The tree of session " + top + " is being stopped; nothing can start in it";
            case SessionRefusal.ParentHasEnded(var parent, var as) ->
                    "Parent session %s has ended as %s; nothing can start below it"
                            .formatted(parent, as);
            case SessionRefusal.SessionBusy(var session, var run) ->
                    "Session %s is busy with run %s".formatted(session, run);
            case SessionRefusal.StateForbids(var what, var state, var event) ->
                    "%s is %s; this state forbids %s".formatted(what, state, event);
            case SessionRefusal.ResultNotReady(var session, var status) ->
                    "Session not finished or idle: %s is %s".formatted(session, status);
            case SessionRefusal.ResultMissing(var session) ->
                    "No result found: the last run of " + session + " left none";
            case SessionRefusal.AskUnknown(var ask) ->
                    "No question or standing answer found: " + ask;
            case SessionRefusal.AskIsSettled(var ask, var as) ->
                    "Question %s is %s already".formatted(ask, as);
            case SessionRefusal.PeopleOnly(var session, var what) ->
                    "A person has set %s session %s; no agent may lift it".formatted(what, session);
            case SessionRefusal.ToolsAreStopped(var session, var how) ->
                    "Session %s is %s; its agents may use no tools".formatted(session, how);
        };
    }

    private static String of(RunRefusal refusal) {
        return switch (refusal) {
            case RunRefusal.RunUnknown(var run) -> "Run not found: " + run;
            case RunRefusal.SessionNotNamed _ -> "session_id is required for resume_session";
            case RunRefusal.RunHasEnded(var run, var as) ->
                    "Run %s has already ended as %s".formatted(run, as);
            case RunRefusal.LeaseLost(var run, var by) ->
                    "Runner %s does not hold the live lease of run %s".formatted(by, run);
            case RunRefusal.RunnerUnknown(var runner) -> "Runner not registered: " + runner;
            case RunRefusal.RunnerTwin(var runner) ->
                    "Runner %s is already online with the same host, directory and profile"
                            .formatted(runner);
        };
    }

    private static String of(BlueprintRefusal refusal) {
        return switch (refusal) {
            case BlueprintRefusal.BlueprintUnknown(var name) -> "Agent not found: " + name;
            case BlueprintRefusal.BlueprintTaken(var name) -> "Agent already exists: " + name;
            case BlueprintRefusal.BlueprintInactive(var name) -> "Agent is inactive: " + name;
            case BlueprintRefusal.BlueprintBuiltIn(var name) ->
                    "Agent " + name + " comes with Coppice and cannot be removed";
            case BlueprintRefusal.ParametersInvalid(var agent, var violations, _, _) -> {
                var first = violations.getFirst();
                yield "Parameter validation failed for agent %s: %s %s"
                        .formatted(agent, first.path(), first.message());
            }
            case BlueprintRefusal.EntryUnknown(var what, var name) ->
                    what.said() + " not found: " + name;
            case BlueprintRefusal.EntryTaken(var what, var name) ->
                    what.said() + " already exists: " + name;
            case BlueprintRefusal.EntryInUse(var what, var name, var by) ->
                    "%s %s is referenced by %s".formatted(what.said(), name, String.join(", ", by));
            case BlueprintRefusal.ReferenceUnknown(var by, var what, var name) ->
                    "%s '%s', to which '%s' refers, does not exist"
                            .formatted(what.said(), name, by);
            case BlueprintRefusal.McpServerTwice(var agent, var server, var first, var second) ->
                    "Agent '%s' has two MCP servers named '%s': from %s and from %s"
                            .formatted(agent, server, first, second);
            case BlueprintRefusal.McpConfigMissing(var server, var fields) ->
                    "MCP server '%s' has no value for the required configuration: %s"
                            .formatted(server, String.join(", ", fields));
            case BlueprintRefusal.ProceduralNotResumed(var agent) ->
                    "Agent '%s' is procedural: it is stateless and cannot be resumed"
                            .formatted(agent);
            case BlueprintRefusal.RunnerBlueprintTaken(var agent, var by) ->
                    "Agent '%s' is defined by %s already".formatted(agent, by);
            case BlueprintRefusal.BlueprintOfRunner(var agent, var runner) ->
                    "Agent '%s' belongs to runner %s and cannot be changed here"
                            .formatted(agent, runner);
            case BlueprintRefusal.PlaceholderUnknown(var placeholder, var where) ->
                    "Placeholder ${%s} in %s has no value".formatted(placeholder, where);
        };
    }

    private static String of(CallbackRefusal refusal) {
        return switch (refusal) {
            case CallbackRefusal.CallbackUnknown(var callback) -> "Callback not found: " + callback;
            case CallbackRefusal.JoinUnknown(var join) -> "Join not found: " + join;
            case CallbackRefusal.NotDead(var callback, var state) ->
                    "Callback %s is %s; only a dead or owed callback can be delivered again"
                            .formatted(callback, state);
            case CallbackRefusal.NotLiving(var session, var as) ->
                    "Session %s is %s and takes no messages".formatted(session, as);
            case CallbackRefusal.NothingToWaitFor(var session, var why) ->
                    "Session %s cannot be waited for: %s".formatted(session, why);
        };
    }

    private static String of(RemovalRefusal refusal) {
        return switch (refusal) {
            case RemovalRefusal.RemovalUnknown(var removal) -> "Removal not found: " + removal;
            case RemovalRefusal.RemovalForbidden(var session, var objections) ->
                    "Session %s cannot be removed: %s"
                            .formatted(
                                    session,
                                    String.join(
                                            "; ",
                                            objections.stream()
                                                    .map(RemovalRefusal.Objection::said)
                                                    .toList()));
            case RemovalRefusal.PlanChanged(var session, var confirmed, var now) ->
                    "The plan for session %s has changed: '%s' was confirmed, it is '%s' now"
                            .formatted(session, confirmed, now);
            case RemovalRefusal.NotConfirmed(var session, var sessions, _) ->
                    "Session %s is not deleted yet: that takes %s, and nobody has confirmed it"
                            .formatted(session, Counted.sessions(sessions));
            case RemovalRefusal.WorkWouldBeLost(var session) ->
                    "Unsaved work of session %s and its descendants would be discarded"
                            .formatted(session);
            case RemovalRefusal.ReasonMissing(var what) -> what + " needs a reason";
            case RemovalRefusal.RemovedTooOften(var session, var limit) ->
                    "Session %s was already removed %d times, which is the limit for agents"
                            .formatted(session, limit);
            case RemovalRefusal.TreeIsBeingRemoved(var session, var removal) ->
                    "Session %s is being removed by %s; nothing can start in it"
                            .formatted(session, removal);
            case RemovalRefusal.SessionRemoved(var session, var removal) ->
                    "Session %s was removed by %s".formatted(session, removal);
            case RemovalRefusal.CannotBeUndone(var removal, _, var why) ->
                    "Removal %s cannot be undone: %s".formatted(removal, why);
            case RemovalRefusal.CannotBeRestored(_, var why) -> "Nothing was restored: " + why;
            case RemovalRefusal.ParentOfRestoredGone(var parent) ->
                    "Nothing was restored: parent session not found: " + parent;
            case RemovalRefusal.CannotBeCalledOff(var removal, var state) ->
                    "Removal %s is %s and can no longer be called off".formatted(removal, state);
            case RemovalRefusal.CannotBePurged(var removal, var state) ->
                    "Removal %s is %s; only a hidden one can be purged".formatted(removal, state);
            case RemovalRefusal.CannotBeAbandoned(var removal, var state) ->
                    "Removal %s is %s and no longer waits".formatted(removal, state);
            case RemovalRefusal.EarlierCanBeUndone(var removal, var earlier) ->
                    "Removal %s contains earlier removals that can still be undone: %s"
                            .formatted(removal, earlier);
            case RemovalRefusal.SessionIdHidden(var session) ->
                    "The id %s belongs to a removed session that can still be restored"
                            .formatted(session);
            case RemovalRefusal.FileUnknown(var file) -> "There is no file " + file;
            case RemovalRefusal.BackupNotWritten(var why) -> "The backup was not written: " + why;
        };
    }
}
