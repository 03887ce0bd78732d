package dev.coppice.kernel;

import org.jspecify.annotations.Nullable;

/** Records the caller for which a thread works, so that no caller takes more than its share. */
public final class OnBehalf {
    private static final ScopedValue<String> CALLER = ScopedValue.newInstance();

    private OnBehalf() {}

    /** Does work for a caller, by the caller's key; for the coordinator itself if it is null. */
    public static <T extends @Nullable Object, X extends Throwable> T of(
            @Nullable String caller, ScopedValue.CallableOp<T, X> work) throws X {
        return caller == null ? work.call() : ScopedValue.where(CALLER, caller).call(work);
    }

    /** Work without a result. */
    public interface Step<X extends Throwable> {
        void run() throws X;
    }

    public static <X extends Throwable> void run(@Nullable String caller, Step<X> step) throws X {
        ScopedValue.CallableOp<Boolean, X> work =
                () -> {
                    step.run();
                    return true;
                };
        boolean _ = of(caller, work);
    }

    /** Wraps work for a caller that another thread does. */
    public static Runnable carried(@Nullable String caller, Runnable work) {
        return caller == null ? work : () -> ScopedValue.where(CALLER, caller).run(work);
    }

    /** The key of the caller; null if the coordinator works for itself. */
    public static @Nullable String caller() {
        return CALLER.isBound() ? CALLER.get() : null;
    }
}
