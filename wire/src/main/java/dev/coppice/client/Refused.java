package dev.coppice.client;

import dev.coppice.wire.Problem;

/** The coordinator refused a call. */
public class Refused extends RuntimeException {
    private static final long serialVersionUID = 1;
    private final transient Problem problem;

    public Refused(Problem problem) {
        super(problem.error());
        this.problem = problem;
    }

    public Problem problem() {
        return problem;
    }
}
