package dev.coppice.sim;

import org.jspecify.annotations.Nullable;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;

/** Puts a fault into one method of a port; all others go through to the real one. */
final class Planted {
    private Planted() {}

    /** The faulty answer; {@code real} is what the port itself would have said. */
    interface Answer {
        Object instead(Object real, Object[] arguments);
    }

    /** The faulty answer without the port being asked, or nothing when it shall be. */
    interface Refusal {
        @Nullable Object instead(Object[] arguments);
    }

    static <T> T instead(Class<T> port, T real, String method, Refusal refusal) {
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
        return port.cast(
                Proxy.newProxyInstance(
                        port.getClassLoader(),
                        new Class<?>[] {port},
                        (_, called, arguments) -> {
                            try {
                                var said = called.invoke(real, arguments);
                                return called.getName().equals(method)
                                        ? answer.instead(said, arguments)
                                        : said;
                            } catch (InvocationTargetException e) {
                                throw e.getCause();
                            }
                        }));
    }
}
