package dev.coppice.blueprints;

import com.networknt.schema.Error;
import com.networknt.schema.ExecutionConfig;
import com.networknt.schema.ExecutionContext;

/**
 * The context of one check. The library calls it for every keyword, and it ends the check at its
 * deadline: a schema that refers to itself twice doubles the work with every level of a value.
 */
final class CheckInTime extends ExecutionContext {
    private static final int FAULTS_MAX = 10_000;
    private final long until;
    private int faults;

    CheckInTime(ExecutionConfig config, long untilNanos) {
        super(config);
        this.until = untilNanos;
    }

    /** The check was given up; its result is unknown. */
    static final class GivenUp extends RuntimeException {
        private static final long serialVersionUID = 1;

        GivenUp(String why) {
            super(why);
        }
    }

    @Override
    public void evaluationPathAddLast(String keyword) {
        if (System.nanoTime() - until > 0) throw new GivenUp("the check takes too long");
        super.evaluationPathAddLast(keyword);
    }

    @Override
    public void addError(Error error) {
        if (++faults > FAULTS_MAX) throw new GivenUp("more than %d faults".formatted(FAULTS_MAX));
        super.addError(error);
    }
}
