package dev.coppice.runner.directory;

import dev.coppice.runner.raw.Scratch;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;

import java.lang.reflect.Method;
import java.util.concurrent.atomic.AtomicReference;

/** Runs each test in a scratch directory, as a directory task runs. */
final class InScratch implements InvocationInterceptor {
    @Override
    public void interceptTestMethod(
            Invocation<@Nullable Void> invocation,
            ReflectiveInvocationContext<Method> context,
            ExtensionContext extension)
            throws Throwable {
        within(invocation);
    }

    @Override
    public void interceptTestTemplateMethod(
            Invocation<@Nullable Void> invocation,
            ReflectiveInvocationContext<Method> context,
            ExtensionContext extension)
            throws Throwable {
        within(invocation);
    }

    private static void within(Invocation<@Nullable Void> invocation) throws Throwable {
        var failed = new AtomicReference<Throwable>();
        Scratch.within(() -> {
            try {
                invocation.proceed();
            } catch (Throwable e) {
                failed.set(e);
            }
            return failed;
        });
        if (failed.get() != null) throw failed.get();
    }
}
