package dev.coppice.cli.engine;

import dev.coppice.wire.Code;
import dev.coppice.wire.Json;
import dev.coppice.wire.Problem;
import dev.coppice.wire.removal.PlanView;

import java.util.stream.Collectors;

/** Advice for each problem, worded as commands and options of the command line. */
public final class Advice {
    private Advice() {}

    public static String of(Problem problem) {
        return Code.of(problem.code()).map(code -> of(code, problem)).orElse(problem.advice());
    }

    /** The refusal and its advice, in one line. */
    public static String inOneLine(Problem problem) {
        var advice = of(problem);
        return advice.isEmpty() ? problem.error() : problem.error() + ". " + advice;
    }

    /** Advice for a refusal in a plan. */
    public static String of(PlanView.RefusalView refusal) {
        var advice = ofObjection(refusal.code(), refusal.advice());
        return Code.of(refusal.code()).map(code -> of(code, advice)).orElse(advice);
    }

    private static String of(Code code, Problem problem) {
        return switch (code) {
            case REMOVAL_FORBIDDEN -> objections(problem);
            case CANNOT_BE_UNDONE, CANNOT_BE_RESTORED -> causes(problem);
            default -> of(code, problem.advice());
        };
    }

    private static String of(Code code, String ofCoordinator) {
        return switch (code) {
            case TOKEN_MISSING ->
                    "Check COPPICE_TOKEN, or pass --data with the directory of the coordinator.";
            case SESSION_UNKNOWN -> "'coppice list' lists the sessions that you may see.";
            case RESULT_NOT_READY -> "'coppice wait' waits until the run has ended.";
            case BUDGET_SPENT -> "Raise it with 'coppice budget'.";
            case BLUEPRINT_UNKNOWN -> "'coppice blueprints' lists the blueprints.";
            case BLUEPRINT_TAKEN -> "Choose another name.";
            case BLUEPRINT_INACTIVE -> "Activate the blueprint, or name another one.";
            case PARAMETERS_INVALID -> "Pass parameters that fit the schema of the blueprint.";
            case ENTRY_UNKNOWN, REFERENCE_UNKNOWN ->
                    "'coppice registry' lists capabilities, scripts and MCP servers.";
            case MCP_CONFIG_MISSING ->
                    "Set it in the reference or in the server, and pass what its placeholders"
                            + " name.";
            case ENTRY_TAKEN -> "Choose another name, or edit the entry.";
            case TOKEN_UNKNOWN -> "'coppice token list' lists the valid tokens.";
            case SIGN_IN_UNKNOWN -> "'coppice open' makes a new link.";
            case WAVE_UNKNOWN -> "'coppice wave list' lists the waves that you may see.";
            case ASK_UNKNOWN -> "'coppice ask list' lists the questions that are open.";
            case PEOPLE_ONLY -> "Ask a person to lift it.";
            case TOOLS_ARE_STOPPED ->
                    "'coppice thaw' thaws it; a new prompt resumes a stopped one.";
            case RUN_UNKNOWN -> "'coppice runs' lists the runs of a session.";
            case RUNNER_UNKNOWN -> "Start a runner with 'coppice up' or 'coppice runner'.";
            case CALLBACK_UNKNOWN -> "'coppice callbacks' lists the callbacks that you may see.";
            case NOT_LIVING -> "Resume it first with 'coppice resume'.";
            case REMOVAL_UNKNOWN -> "'coppice removals' lists the removals.";
            case NOT_CONFIRMED -> "Pass --confirm with the digest of the plan.";
            case WORK_WOULD_BE_LOST ->
                    "Omit --discard to preserve the work, or pass --confirm with the digest of a"
                            + " plan that shows what is discarded.";
            case REASON_MISSING -> "Pass --reason; it is recorded in the audit.";
            case SESSION_REMOVED -> "'coppice undo' restores it until its undo window closes.";
            case PARENT_OF_RESTORED_GONE -> "Pass --as-root, or --under NAME for another parent.";
            case FILE_UNKNOWN -> "'coppice removals ID' shows what is left of a removal.";
            // For these, the advice of the coordinator names neither a path nor a field.
            default -> ofCoordinator;
        };
    }

    private static String objections(Problem problem) {
        return Json.as(problem.detailOrEmpty(), Problem.RefusalsDetail.class).refusals().stream()
                .map(o -> ofObjection(o.code(), o.advice()))
                .distinct()
                .collect(Collectors.joining(" "));
    }

    private static String ofObjection(String code, String absent) {
        return switch (code) {
            case "has_children" -> "Omit --only to remove them too, or pass --detach to keep them.";
            case "still_running" -> "Stop them first, or pass --stop.";
            case "critical_operations" ->
                    "Wait until they are done, or pass --override and --reason.";
            case "earlier_removals" -> "Purge those removals first, or omit --now.";
            default -> absent;
        };
    }

    private static String causes(Problem problem) {
        return switch (String.valueOf(problem.cause())) {
            case "names_taken" ->
                    "Rename those sessions, or pass --rename to rename the restored ones.";
            case "window_closed" ->
                    "Its undo window is closed; restore its backup with 'coppice restore'.";
            case "under_way" -> "Cancel it instead: 'coppice removals ID cancel'.";
            case "no_file" -> "Restore the file with 'coppice restore FILE'.";
            case "no_such_removal" -> "'coppice backup verify FILE' lists the removals in a file.";
            case "ids_unfit" ->
                    "An id has 1 to 100 letters, digits, or any of _ . : - and --new-ids appends"
                            + " 7 of them.";
            case "too_deep" -> "Pass --as-root, or --under with a session closer to its root.";
            case "ids_taken" -> "If those sessions were removed, undo that; else pass --new-ids.";
            default -> problem.advice();
        };
    }
}
