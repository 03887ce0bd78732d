package dev.coppice.cli.engine;

/** Exit codes, for scripts. The tables in the help and in docs/cli.md are generated from these. */
public enum Exit {
    OK(0, "success; if a run was awaited, it finished"),
    FAILED(1, "the awaited run failed"),
    USAGE(2, "the command line is not valid"),
    REFUSED(3, "the request was refused; the reason is on standard error"),
    UNREACHABLE(4, "no coordinator answers"),
    NOT_FOUND(5, "the session, run or blueprint does not exist"),
    STOPPED(6, "the awaited run was stopped"),
    TIMED_OUT(7, "the awaited run timed out"),
    LOST(8, "the awaited run was lost with its runner"),
    CANNOT_START(9, "the coordinator or runner cannot start: port, directory or database"),
    LATE(10, "the awaited operation is still in progress"),
    SICK(11, "a check found a problem that was not repaired"),
    NO_TOOLS(78, "JDK 25 or Maven is missing");

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
