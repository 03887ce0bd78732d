package dev.coppice.scene;

import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

/**
 * The soak, {@code ./coppice soak}, runs what the suite leaves out: rare and long repetitions.
 * {@link InSoak} marks tests that only the soak runs, {@link LongForm} classes that both run, with
 * other cases. The soak has a time; it skips tests that would start after it.
 */
public final class Soak implements ExecutionCondition {
    public static final String TAG = "soak";
    static final String BOTH = "long-form";

    /** The seconds since 1970 at which the soak starts no more tests; 0 for no end. */
    private static final long UNTIL = Long.getLong("coppice.soak.until", 0);

    /** True in the soak, and false in the suite. */
    public static boolean isOn() {
        return Boolean.getBoolean("coppice.soak");
    }

    public static boolean isOver() {
        return UNTIL != 0 && InstantSource.system().instant().getEpochSecond() >= UNTIL;
    }

    /** Returns the few cases in the suite, and all others in the soak. */
    public static <T> List<T> part(List<T> few, List<T> all) {
        if (!isOn()) return few;
        var others = new ArrayList<>(all);
        others.removeAll(few);
        return others;
    }

    /** Returns the small number in the suite, and the large one in the soak. */
    public static int size(int small, int large) {
        return isOn() ? large : small;
    }

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        return isOver()
                ? ConditionEvaluationResult.disabled("the time of the soak is over")
                : ConditionEvaluationResult.enabled("the soak has time left");
    }
}
