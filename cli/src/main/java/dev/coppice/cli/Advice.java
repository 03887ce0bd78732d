package dev.coppice.cli;

import dev.coppice.wire.Code;
import dev.coppice.wire.Json;
import dev.coppice.wire.Problem;

import java.util.stream.Collectors;

/** What to do about each problem, in the words of the command line: commands and options. */
final class Advice {
    private Advice() {}

    static String of(Problem problem) {
        return Code.of(problem.code()).map(code -> of(code, problem)).orElse(problem.advice());
    }

    /** What was refused and what to do next. */
    static String inOneLine(Problem problem) {
        var advice = of(problem);
        return advice.isEmpty() ? problem.error() : problem.error() + ". " + advice;
    }

    private static String of(Code code, Problem problem) {
        return switch (code) {
            case SESSION_UNKNOWN -> "'coppice list' shows the sessions you may see.";
            case RESULT_NOT_READY -> "'coppice status' says when it is over.";
            case BUDGET_SPENT -> "'coppice budget' raises it.";
            case BLUEPRINT_UNKNOWN -> "'coppice blueprints' lists them.";
            case CALLBACK_UNKNOWN -> "'coppice callbacks' lists those you may see.";
            case NOT_LIVING -> "Resume it first: 'coppice resume'.";
            case REMOVAL_UNKNOWN -> "'coppice removals' lists them.";
            case REMOVAL_FORBIDDEN -> objections(problem);
            case WORK_WOULD_BE_LOST ->
                    "Leave --discard out to keep it, or pass --confirm with the digest of a plan"
                            + " that shows what is thrown away.";
            case REASON_MISSING -> "Say why with --reason; it is recorded.";
            case SESSION_REMOVED -> "'coppice undo' brings it back until its undo window closes.";
            case PARENT_OF_RESTORED_GONE -> "Pass --as-root, or --under NAME for another parent.";
            case CANNOT_BE_UNDONE -> causes(problem);
            case CANNOT_BE_RESTORED -> causes(problem);
            // The advice of the coordinator names no path.
            case BAD_VALUE,
                    TOO_LARGE,
                    LIMIT_REACHED,
                    TOO_MANY,
                    KEY_USED_OTHERWISE,
                    NOT_ALLOWED,
                    NOT_OFFERED,
                    SESSION_ID_TAKEN,
                    NAME_TAKEN,
                    PARENT_UNKNOWN,
                    PARENT_IS_ITSELF,
                    PARENT_MAKES_CYCLE,
                    PARENT_IS_FIXED,
                    PARENT_IS_STOPPING,
                    STOP_UNKNOWN,
                    TREE_IS_STOPPING,
                    PARENT_HAS_ENDED,
                    SESSION_BUSY,
                    STATE_FORBIDS,
                    RESULT_MISSING,
                    RUN_UNKNOWN,
                    RUN_HAS_ENDED,
                    LEASE_LOST,
                    RUNNER_UNKNOWN,
                    RUNNER_TWIN,
                    BLUEPRINT_TAKEN,
                    BLUEPRINT_INACTIVE,
                    BLUEPRINT_BUILT_IN,
                    PARAMETERS_INVALID,
                    PLACEHOLDER_UNKNOWN,
                    JOIN_UNKNOWN,
                    NOT_DEAD,
                    NOTHING_TO_WAIT_FOR,
                    PLAN_CHANGED,
                    REMOVED_TOO_OFTEN,
                    TREE_IS_BEING_REMOVED,
                    CANNOT_BE_CALLED_OFF,
                    CANNOT_BE_PURGED,
                    CANNOT_BE_ABANDONED,
                    EARLIER_CAN_BE_UNDONE,
                    SESSION_ID_KEPT,
                    FILE_UNKNOWN,
                    BACKUP_NOT_WRITTEN,
                    STORE_UNWRITABLE,
                    NOT_DONE,
                    TOKEN_MISSING,
                    FOREIGN_ORIGIN,
                    PATH_UNKNOWN,
                    METHOD_NOT_OFFERED,
                    REQUEST_UNREADABLE ->
                    problem.advice();
        };
    }

    private static String objections(Problem problem) {
        return Json.as(problem.detailOrEmpty(), Problem.RefusalsDetail.class).refusals().stream()
                .map(o -> ofObjection(o.code(), o.advice()))
                .distinct()
                .collect(Collectors.joining(" "));
    }

    /** Of one thing against a removal. */
    static String ofObjection(String code, String absent) {
        return switch (code) {
            case "has_children" ->
                    "Leave --only out to take them along, or pass --detach to let them stay.";
            case "still_running" -> "Stop them first, or pass --stop.";
            case "critical_operations" ->
                    "Wait until they are done, or pass --override with a --reason.";
            case "earlier_removals" -> "Purge those first, or leave --now out.";
            default -> absent;
        };
    }

    private static String causes(Problem problem) {
        return switch (String.valueOf(problem.cause())) {
            case "names_taken" ->
                    "Rename those, or pass --rename to give the restored ones other names.";
            case "window_closed" ->
                    "Its undo window is closed; 'coppice restore' brings it back from its backup.";
            case "under_way" -> "Cancel it instead: 'coppice removals ID cancel'.";
            case "no_file" -> "Hand the file in with 'coppice restore FILE'.";
            case "no_such_removal" -> "'coppice backup verify' says what is in one.";
            case "ids_unfit" ->
                    "An id has 1 to 100 letters, digits, or any of _ . : - and --new-ids adds"
                            + " seven.";
            case "too_deep" -> "Restore it with --as-root, or further up.";
            case "ids_taken" ->
                    "Undo their removal if that is what they are, or restore with --new-ids.";
            default -> problem.advice();
        };
    }
}
