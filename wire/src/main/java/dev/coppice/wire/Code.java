package dev.coppice.wire;

import org.jspecify.annotations.Nullable;

import java.util.Optional;

/**
 * The table of refusals, which all faces read: a row has the code that programs rely on, the HTTP
 * status, and what to do next. The sentence is that of the refusal, which has the values. Advice is
 * given once if it names neither a path, nor a field, nor a tool, nor a command; else for REST, for
 * tools and for the command line. {@code {name}} stands for a component of the refusal.
 */
public enum Code {
    BAD_VALUE(400, "Send '{field}' as described and try again."),
    FIELD_UNKNOWN(400, "Correct its name or its place, or leave it out; nothing was changed."),
    TOO_LARGE(413, "Send less, or keep the content in a file and send its path."),
    LIMIT_REACHED(
            409,
            "Wait for something to end, or have the limit raised where it was set; a limit of bytes"
                    + " has room again when ended sessions of the tree are removed."),
    TOO_MANY(429, "Send fewer at once, or wait until one has ended, and try again."),
    TOO_OFTEN(429, "Wait, or stop a whole tree with one request."),
    TOKEN_UNKNOWN(
            404,
            "List the valid tokens with GET /tokens.",
            Repeated.NO_TOOL,
            "'coppice token list' lists the valid tokens."),
    SIGN_IN_UNKNOWN(
            404,
            "Run 'coppice open' for a new link.",
            Repeated.NO_TOOL,
            "'coppice open' makes a new link."),
    INVITE_UNKNOWN(
            404,
            "Have an admin make a new one with POST /runner-invites.",
            Repeated.NO_TOOL,
            "'coppice runner invite' makes a new one, on the coordinator's machine."),
    TOO_MANY_TOKENS(409, "Revoke tokens that are not in use any more."),
    KEY_USED_OTHERWISE(422, "Use a new key for a new request; the same key repeats the same one."),
    NOT_ALLOWED(403, "Use a token whose role allows this, or the token of an ancestor session."),
    BUDGET_SPENT(
            409,
            "Raise it with PUT /sessions/{set_by}/budget.",
            "Ask for more budget for '{set_by}'; no tool raises it.",
            "Raise it with 'coppice budget'."),

    SESSION_UNKNOWN(
            404,
            "List the sessions you may see with GET /sessions.",
            "Check session_id, or name the session with session_name.",
            "'coppice list' lists the sessions that you may see."),
    SESSION_ID_TAKEN(
            409, "Choose another id, leave it out to have one made, or resume the session."),
    NAME_TAKEN(409, "Choose another name, or resume the session that has it."),
    PARENT_UNKNOWN(404, "Name a parent that exists, or leave it out to start a tree of its own."),
    PARENT_IS_ITSELF(409, "Name another parent, or leave it out."),
    PARENT_MAKES_CYCLE(
            409, "Leave the parent out; a session keeps the parent it was started with."),
    PARENT_IS_FIXED(409, "Leave the parent out when resuming; only a root can be attached."),
    PARENT_IS_STOPPING(409, "Wait until it has stopped, resume it, and try again."),
    WAVE_UNKNOWN(
            404,
            "List the waves you may see with GET /waves.",
            "See list_waves for the waves there are.",
            "'coppice wave list' lists the waves that you may see."),
    STOP_UNKNOWN(404, "Its id was in the answer of the stop; asking for the stop again shows it."),
    TREE_IS_STOPPING(409, "Wait until the stop is over, and try again."),
    PARENT_HAS_ENDED(409, "Resume the parent first, or start the session without it."),
    SESSION_BUSY(409, "Wait for the run to end, or stop it, and resume then."),
    STATE_FORBIDS(409, "Read its present state before reporting on it."),
    RESULT_NOT_READY(
            400,
            "Wait for its run with GET /runs/ID?wait=30s.",
            "Wait for its run to end, and ask again.",
            "'coppice wait' waits until the run has ended."),
    RESULT_MISSING(404, "Read its events to see what it did."),
    ASK_UNKNOWN(
            404,
            "List the open ones with GET /asks.",
            Repeated.NO_TOOL,
            "'coppice ask list' lists the questions that are open."),
    ASK_IS_SETTLED(409, "No program waits for an answer any more; nothing is left to do."),
    PEOPLE_ONLY(403, "Ask a person to lift it."),
    TOOLS_ARE_STOPPED(
            409,
            "Thaw it, or give its program a new prompt in its own window.",
            "'coppice thaw' thaws it; a new prompt resumes a stopped one."),

    RUN_UNKNOWN(
            404,
            "List the runs you may see with GET /runs.",
            Repeated.NO_TOOL,
            "'coppice runs' lists the runs of a session."),
    SESSION_NOT_NAMED(400, "Name the session to resume by its id or its name."),
    RUN_HAS_ENDED(409, "An ended run stays ended; stop working on it."),
    LEASE_LOST(409, "End the agent's processes for this run; another may have taken it over."),
    RUNNER_UNKNOWN(
            401,
            "Register with POST /runner/register and go on.",
            Repeated.NO_TOOL,
            "Start a runner with 'coppice up' or 'coppice runner'."),
    VERSIONS_TOO_FAR_APART(409, "Install the coordinator's version where the runner is."),
    RUNNER_TWIN(409, "Stop the other one, or start this one with another profile or directory."),

    BLUEPRINT_UNKNOWN(
            404,
            "List the blueprints with GET /agents.",
            Repeated.CHOOSE_BLUEPRINT,
            "'coppice blueprints' lists the blueprints."),
    BLUEPRINT_TAKEN(
            409,
            "Change it with PATCH /agents/{name}, or choose another name.",
            Repeated.NO_TOOL,
            "Choose another name."),
    BLUEPRINT_INACTIVE(
            409,
            "Activate it with PATCH /agents/{name}/status.",
            Repeated.CHOOSE_BLUEPRINT,
            "Activate the blueprint, or name another one."),
    BLUEPRINT_BUILT_IN(409, "Create an agent with the same name to replace it."),
    PARAMETERS_INVALID(
            400,
            "Send parameters that fit the agent's parameters_schema.",
            "Send parameters that fit the parameters_schema of the blueprint.",
            "Pass parameters that fit the schema."),
    PLACEHOLDER_UNKNOWN(
            400,
            "Pass it, allow it (COPPICE_ENV_ALLOW for env), or write $${{placeholder}} to mean the"
                    + " text itself."),
    ENTRY_UNKNOWN(
            404,
            "List what there is with GET /agents, /capabilities, /scripts or /mcp-servers.",
            Repeated.NO_TOOL,
            "'coppice registry' lists capabilities, scripts and MCP servers."),
    ENTRY_TAKEN(409, "Change the entry '{name}', or choose another name."),
    ENTRY_IN_USE(409, "Take the reference out of each of them first; nothing was removed."),
    REFERENCE_UNKNOWN(422, "Create '{name}', or take the reference out."),
    MCP_SERVER_TWICE(422, "Rename one of them, or take out the capability that brings it."),
    MCP_CONFIG_MISSING(
            400,
            "Set it in the reference or in the server, and pass each value that a placeholder in it"
                    + " names."),
    PROCEDURAL_NOT_RESUMED(400, "Start a new session of the agent with these parameters."),
    RUNNER_BLUEPRINT_TAKEN(
            409, "Rename the agent in the runner's executor, or remove the other one."),
    BLUEPRINT_OF_RUNNER(409, "Change it where the runner has it, and start the runner again."),

    CALLBACK_UNKNOWN(
            404,
            "List the callbacks you may see with GET /callbacks.",
            Repeated.NO_TOOL,
            "'coppice callbacks' lists the callbacks that you may see."),
    JOIN_UNKNOWN(404, "Its id was in the answer that opened it."),
    NOT_DEAD(409, "Resume its session; held callbacks are delivered when its run has ended."),
    NOT_LIVING(
            409,
            "Resume it with a prompt: POST /runs with type resume_session.",
            "Give it a new prompt with resume_agent_session instead.",
            "Resume it first with 'coppice resume'."),
    NOTHING_TO_WAIT_FOR(409, "Name children of the waiting session; each must have a run."),

    REMOVAL_UNKNOWN(
            404,
            "List the removals with GET /removals.",
            "Send the removal_id that delete_session answered with.",
            "'coppice removals' lists the removals."),
    /** Its objections have rows of their own. */
    REMOVAL_FORBIDDEN(409, "Remove the objections, and try again."),
    HAS_CHILDREN(
            409,
            "Choose children=cascade to take them along, or children=detach to let them stay.",
            "Leave cleanup_agents out to take them along, or set it to false to let them stay.",
            "Omit --only to remove them too, or pass --detach to keep them."),
    STILL_RUNNING(
            409,
            "Stop them first, or choose running=stop.",
            "Set force to true, or stop them first.",
            "Stop them first, or pass --stop."),
    CRITICAL_OPERATIONS(
            409,
            "Wait until they are done, or choose critical=override and say why.",
            "Wait until they are done, or set force to true.",
            "Wait until they are done, or pass --override and --reason."),
    EARLIER_REMOVALS(
            409,
            "Purge those first, or choose purge=later.",
            "Wait until the undo windows of those have closed.",
            "Purge those removals first, or omit --now."),
    REMOVAL_BELOW(409, "Wait until that removal is over."),
    WORK_NOT_INSPECTED(409, "Mend the cause on that host, and look at the plan again."),
    NOT_CONFIRMED(
            409,
            "Send confirm={digest} to delete exactly that.",
            "To delete exactly that, call again with the same arguments and confirm '{digest}'."
                    + " get_delete_plan shows all of the plan.",
            "Pass --confirm with the digest of the plan."),
    PLAN_CHANGED(
            409,
            "Look at the plan again, with the same choices, and confirm what it says now.",
            "Call get_delete_plan again with the same arguments, and confirm its digest.",
            "Look at the plan again, with the same choices, and confirm what it says now."),
    WORK_WOULD_BE_LOST(
            409,
            "Preserve it with work=preserve, or send as 'confirm' the digest of a plan that shows"
                    + " what is discarded.",
            "Set preserve_work to true, or send the digest of get_delete_plan as confirm.",
            "Omit --discard to preserve the work, or pass --confirm with the digest of a plan that"
                    + " shows what is discarded."),
    REASON_MISSING(
            400,
            "Say why in 'reason'; it is written down.",
            "Say why in reason; it is recorded.",
            "Pass --reason; it is recorded in the audit."),
    REMOVED_TOO_OFTEN(
            409, "Ask an operator to remove it; every undone removal leaves a backup behind."),
    TREE_IS_BEING_REMOVED(409, "Wait until the removal is over, or cancel it."),
    SESSION_REMOVED(
            410,
            "See GET /removals/{removal} for whether it can be undone.",
            "Put it back with undo_deletion.",
            "'coppice undo' restores it until its undo window closes."),
    /** The causes of this one and of the next have rows of their own. */
    CANNOT_BE_UNDONE(409, "Read the removal to see its state."),
    CANNOT_BE_RESTORED(409, "Mend the cause, and restore it again."),
    NAMES_TAKEN(
            409,
            "Rename those sessions, or send rename=true to rename the restored ones.",
            "Set rename to true to give the restored sessions other names.",
            "Rename those sessions, or pass --rename to rename the restored ones."),
    PARENT_REMOVED(409, "Undo the removal of the parent first."),
    UNDER_WAY(
            409,
            "Cancel it instead, while it is under way.",
            "Cancel it instead: 'coppice removals ID cancel'."),
    DETACHING(409, "Wait until it is hidden, and undo it then."),
    BEING_HIDDEN(409, "It is just being hidden: try again in a moment."),
    CALLED_OFF(409, "It was called off; nothing was removed."),
    WINDOW_CLOSED(
            409,
            "Its undo window is closed; restore it from its backup.",
            "Its undo window is closed; restore its backup with 'coppice restore'."),
    NO_FILE(
            409,
            "Upload the file with POST /backups/FILE/part first.",
            Repeated.SEND_FILE,
            "Restore the file with 'coppice restore FILE'."),
    DAMAGED(409, "Use another copy of the file, or a newer version of Coppice."),
    NO_SUCH_REMOVAL(
            409,
            "Leave 'removal' out, or name one that the file has.",
            "'coppice backup verify FILE' lists the removals in a file."),
    IDS_UNFIT(
            409,
            Repeated.AN_ID + "new_ids appends 7 of them.",
            Repeated.AN_ID + "--new-ids appends 7 of them."),
    NAMES_UNFIT(409, "Rename those sessions where the file comes from, and back them up again."),
    TOO_DEEP(
            409,
            "Restore it as_root, or further up.",
            Repeated.ELSEWHERE,
            "Pass --as-root, or --under with a session closer to its root."),
    IDS_TAKEN(
            409,
            "If those sessions were removed, undo that; else send new_ids=true.",
            "Put those sessions back with undo_removal, or set new_ids to true for a copy.",
            "If those sessions were removed, undo that; else pass --new-ids."),
    PARENT_OF_RESTORED_GONE(
            409,
            "Restore it as_root, or under another session.",
            Repeated.ELSEWHERE,
            "Pass --as-root, or --under NAME for another parent."),
    CANNOT_BE_CALLED_OFF(
            409, "A hidden removal can be undone; one that is over cannot be changed."),
    CANNOT_BE_PURGED(409, "Wait until it is hidden; a removal that is over cannot be changed."),
    CANNOT_BE_ABANDONED(
            409, "Only a removal that is under way can stop waiting for unreachable hosts."),
    EARLIER_CAN_BE_UNDONE(409, "Their undo windows are open; purge them first, deepest first."),
    SESSION_ID_HIDDEN(
            409, "Choose another id, leave it out to have one made, or purge the removal."),
    FILE_UNKNOWN(
            404,
            "See GET /removals/ID and GET /removals/ID/work for what there is.",
            Repeated.SEND_FILE,
            "'coppice removals ID' shows what is left of a removal."),
    BACKUP_NOT_WRITTEN(503, "Make room on its disk, or its directory writable, and try again."),

    // Errors that no rule decides: the request does not reach a command, or is not carried out.
    STORE_UNWRITABLE(503, "Make room on its disk; it tries again by itself. Nothing was changed."),
    NOT_DONE(503, "Nothing was changed; try again. The coordinator's log may say more."),
    TOKEN_MISSING(
            401,
            "Send 'Authorization: Bearer TOKEN'; the token is in the file 'token' of the data"
                    + " directory.",
            "Check COPPICE_TOKEN, or pass --data with the directory of the coordinator."),
    TOKEN_IN_ADDRESS(
            403,
            "Send it as 'Authorization: Bearer TOKEN', or use one of 'coppice token create --role"
                    + " viewer', 'ingest' or 'runner'; one of 'operator' may stand in addresses of"
                    + " the ports in COPPICE_PATH_PORTS."),
    FOREIGN_ORIGIN(
            403,
            "Use http://127.0.0.1 with the coordinator's port, or configure COPPICE_HOSTS or"
                    + " COPPICE_ORIGINS."),
    PATH_UNKNOWN(404, "See /openapi.json at the coordinator's own port for what there is."),
    METHOD_NOT_OFFERED(405, "Use one of these methods."),
    WEBSOCKET_ONLY(426, "Connect to it with ws:// in place of http://."),
    REQUEST_UNREADABLE(400, "Send a plain HTTP request with an ordinary path and modest headers.");

    /** Texts that several rows have. */
    private interface Repeated {
        String NO_TOOL = "No tool does that; ask the person who runs this tree.";
        String CHOOSE_BLUEPRINT = "Choose one of list_agent_blueprints.";
        String SEND_FILE = "Send the backup_path that delete_session answered with as file.";
        String ELSEWHERE = "Set as_root to true, or name a session further up in under.";
        String AN_ID = "An id has 1 to 100 letters, digits, or any of _ . : - and ";
    }

    private final int status;
    private final String rest;
    private final String tool;
    private final @Nullable String command;

    Code(int status, String everywhere) {
        this(status, everywhere, everywhere, null);
    }

    Code(int status, String elsewhere, String command) {
        this(status, elsewhere, elsewhere, command);
    }

    Code(int status, String rest, String tool, @Nullable String command) {
        this.status = status;
        this.rest = rest;
        this.tool = tool;
        this.command = command;
    }

    /** The row of a refusal of this coordinator. */
    public static Code named(String name) {
        return of(name).orElseThrow();
    }

    /** The row with this name; empty if unknown, since a newer coordinator may have more. */
    public static Optional<Code> of(String name) {
        for (var code : values()) if (code.word().equals(name)) return Optional.of(code);
        return Optional.empty();
    }

    /** The advice in the words of the command line, or else that of the coordinator. */
    public static String forCommands(String name, String ofCoordinator) {
        return of(name).flatMap(code -> Optional.ofNullable(code.command)).orElse(ofCoordinator);
    }

    /** The code as programs know it. */
    public String word() {
        return Shape.word(this);
    }

    public int status() {
        return status;
    }

    /**
     * One of the seed's three kinds of error, for programs that tell them apart. A client error
     * other than a conflict needs a different request.
     */
    public String kind() {
        if (this == WORK_WOULD_BE_LOST) return "security_error";
        return status < 500 && status != 409 ? "validation_error" : "operation_error";
    }

    /** The advice, as requests and fields of the REST API. */
    public String rest() {
        return rest;
    }

    /** The advice, as tools and their arguments. */
    public String tool() {
        return tool;
    }
}
