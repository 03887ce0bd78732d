package dev.coppice.sim;

import org.jspecify.annotations.Nullable;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;

/** Wraps a port and plants a fault in one method; all other calls reach the real port. */
final class Planted {
    private Planted() {}

    /** Computes the faulty answer; {@code real} is the answer of the port. */
    interface Answer {
        Object instead(Object real, Object[] arguments);
    }

    /** Returns the faulty answer, or null to call the port. */
    interface Refusal {
        @Nullable Object instead(Object[] arguments);
    }

    static <T> T instead(Class<T> port, T real, String method, Refusal refusal) {
        requireMethod(port, method);
        return port.cast(
                Proxy.newProxyInstance(
                        port.getClassLoader(),
                        new Class<?>[] {port},
                        (_, called, arguments) -> {
                            boolean here = called.getName().equals(method);
                            var answer = here ? refusal.instead(arguments) : null;
                            try {
                                return answer == null ? called.invoke(real, arguments) : answer;
                            } catch (InvocationTargetException e) {
                                throw e.getCause();
                            }
                        }));
    }

    static <T> T over(Class<T> port, T real, String method, Answer answer) {
        requireMethod(port, method);
        return port.cast(
                Proxy.newProxyInstance(
                        port.getClassLoader(),
                        new Class<?>[] {port},
                        (_, called, arguments) -> {
                            try {
                                var answered = called.invoke(real, arguments);
                                return called.getName().equals(method)
                                        ? answer.instead(answered, arguments)
                                        : answered;
                            } catch (InvocationTargetException e) {
                                throw e.getCause();
                            }
                        }));
    }

    /** A fault in a method that was renamed would be no fault. */
    private static void requireMethod(Class<?> port, String method) {
        for (var found : port.getMethods()) if (found.getName().equals(method)) return;
        throw new IllegalArgumentException("%s has no method %s".formatted(port, method));
    }
}
