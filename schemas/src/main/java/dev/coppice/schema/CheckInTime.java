package dev.coppice.schema;

import com.networknt.schema.Error;
import com.networknt.schema.ExecutionConfig;
import com.networknt.schema.ExecutionContext;
import com.networknt.schema.annotation.Annotation;
import com.networknt.schema.annotation.Annotations;

import java.time.Duration;
import java.util.Collection;

/**
 * The context of one check. A check ends at its deadline: a schema that refers to itself twice
 * doubles the work with every level of a value. The library calls the context for every keyword;
 * what repeats within a keyword, and may take long, asks for itself.
 */
final class CheckInTime extends ExecutionContext {
    private static final int FAULTS_MAX = 10_000;

    /** A fault may repeat a long part of the schema. */
    private static final int FAULT_CHARS_MAX = 4 * 1024 * 1024;

    /**
     * Names of properties that keywords note for {@code unevaluatedProperties}, and their notes.
     */
    private static final int NOTED_MAX = 500_000;

    private static final ScopedValue<Long> UNTIL_NANOS = ScopedValue.newInstance();
    private int faults;
    private long chars;
    private final Annotations notes = new Notes();

    CheckInTime(ExecutionConfig config) {
        super(config);
    }

    private static final class Notes extends Annotations {
        private int noted;

        @Override
        public void put(Annotation note) {
            noted += 1 + (note.getValue() instanceof Collection<?> names ? names.size() : 0);
            if (noted > NOTED_MAX) {
                throw new GivenUp("more than %d properties to remember".formatted(NOTED_MAX));
            }
            super.put(note);
        }
    }

    /**
     * The check was given up; its result is unknown. This is an error because the library takes
     * exceptions within some keywords for faults of the value, and logs them in others.
     */
    static final class GivenUp extends java.lang.Error {
        private static final long serialVersionUID = 1;

        GivenUp(String why) {
            super(why);
        }
    }

    /** Does the work of a check, which ends itself after a time. */
    static void run(Duration most, Runnable check) {
        ScopedValue.where(UNTIL_NANOS, System.nanoTime() + most.toNanos()).run(check);
    }

    /** Gives up the check of this thread if its time is over. */
    static void look() {
        if (UNTIL_NANOS.isBound() && System.nanoTime() - UNTIL_NANOS.get() > 0) {
            throw new GivenUp("the check takes too long");
        }
    }

    @Override
    public void evaluationPathAddLast(String keyword) {
        look();
        super.evaluationPathAddLast(keyword);
    }

    @Override
    public Annotations getAnnotations() {
        return notes;
    }

    @Override
    public void addError(Error error) {
        if (++faults > FAULTS_MAX) throw new GivenUp("more than %d faults".formatted(FAULTS_MAX));
        chars += error.getMessage().length();
        if (chars > FAULT_CHARS_MAX) {
            throw new GivenUp("more than %d characters of faults".formatted(FAULT_CHARS_MAX));
        }
        super.addError(error);
    }
}
