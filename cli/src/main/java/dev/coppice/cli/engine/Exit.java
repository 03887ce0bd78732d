package dev.coppice.cli.engine;

import dev.coppice.wire.Code;
import dev.coppice.wire.Problem;

/** Exit codes, for scripts. The tables in the help and in docs/cli.md are generated from these. */
public enum Exit {
    OK(0, "success; if a run was awaited, it finished"),
    FAILED(1, "the awaited run failed"),
    USAGE(2, "the command line is not valid"),
    REFUSED(3, "the request was refused; the reason is on standard error"),
    UNREACHABLE(4, "no coordinator answers"),
    NOT_FOUND(5, "the session, run, blueprint, token or removal does not exist"),
    STOPPED(6, "the awaited run was stopped"),
    TIMED_OUT(7, "the awaited run timed out"),
    LOST(8, "the awaited run was lost with its runner"),
    CANNOT_START(9, "the coordinator or runner cannot start: port, directory or database"),
    LATE(10, "the awaited operation is still in progress"),
    SICK(11, "a check found a problem that was not repaired"),
    NO_FILE(12, "a file or directory could not be read or written"),
    BROKEN(70, "an internal error, or the build failed"),
    NO_TOOLS(78, "JDK 25 or Maven is missing"),
    INTERRUPTED(130, "interrupted with Ctrl-C");

    private final int code;
    private final String meaning;

    Exit(int code, String meaning) {
        this.code = code;
        this.meaning = meaning;
    }

    public int code() {
        return code;
    }

    public String meaning() {
        return meaning;
    }

    /** The exit code for a refused request. */
    public static Exit of(Problem problem) {
        if (problem.status() == 404 || problem.status() == 410) return NOT_FOUND;
        boolean isBadValue = Code.of(problem.code()).filter(c -> c == Code.BAD_VALUE).isPresent();
        return isBadValue ? USAGE : REFUSED;
    }

    /** The exit code for the final state of an awaited run. */
    public static Exit ofRun(String state) {
        return switch (state) {
            case "finished" -> OK;
            case "stopped" -> STOPPED;
            case "timed_out" -> TIMED_OUT;
            case "lost" -> LOST;
            default -> FAILED;
        };
    }
}
