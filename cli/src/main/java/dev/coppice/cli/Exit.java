package dev.coppice.cli;

/** Exit codes, for scripts. The table in the help and in docs/cli.md is made from these. */
enum Exit {
    OK(0, "done; for a run that was waited for: it finished"),
    FAILED(1, "the run that was waited for failed"),
    USAGE(2, "the command line makes no sense"),
    REFUSED(3, "the coordinator refused, and said why"),
    UNREACHABLE(4, "no coordinator answers"),
    NOT_FOUND(5, "there is no such session, run or blueprint"),
    STOPPED(6, "the run that was waited for was stopped"),
    TIMED_OUT(7, "the run that was waited for ran out of time"),
    LOST(8, "the run that was waited for was lost with its runner"),
    CANNOT_START(9, "the coordinator cannot start here: port, directory or database"),
    LATE(10, "what was waited for is still under way"),
    SICK(11, "the doctor found something and did not mend it"),
    NO_TOOLS(78, "there is no JDK 25 or no Maven");

    private final int code;
    private final String meaning;

    Exit(int code, String meaning) {
        this.code = code;
        this.meaning = meaning;
    }

    int code() {
        return code;
    }

    String meaning() {
        return meaning;
    }

    /** How a run that was waited for ended. */
    static Exit ofRun(String state) {
        return switch (state) {
            case "finished" -> OK;
            case "stopped" -> STOPPED;
            case "timed_out" -> TIMED_OUT;
            case "lost" -> LOST;
            default -> FAILED;
        };
    }
}
