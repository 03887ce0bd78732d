package dev.coppice.sim;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;

/** Puts a fault into one method of a port; all others go through to the real one. */
final class Planted {
    private Planted() {}

    /** The faulty answer; {@code real} is what the port itself would have said. */
    interface Answer {
        Object instead(Object real, Object[] arguments);
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
