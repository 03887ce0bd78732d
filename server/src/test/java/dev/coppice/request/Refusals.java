package dev.coppice.request;

import dev.coppice.kernel.JsonText;
import dev.coppice.kernel.Refusal;
import dev.coppice.kernel.RunId;
import dev.coppice.kernel.RunnerId;
import dev.coppice.kernel.SessionId;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** One refusal of each type, and one for each constant of its enums. */
public final class Refusals {
    private static final String TEXT = "sample";
    private static final Map<Class<?>, Object> SAMPLES =
            Map.of(
                    String.class,
                    TEXT,
                    long.class,
                    1L,
                    int.class,
                    1,
                    SessionId.class,
                    new SessionId(TEXT),
                    RunId.class,
                    new RunId(TEXT),
                    RunnerId.class,
                    new RunnerId(TEXT),
                    JsonText.class,
                    new JsonText("{}"),
                    List.class,
                    List.of());

    private Refusals() {}

    public static List<Refusal> all() {
        return types(Refusal.class).flatMap(Refusals::of).map(Refusal.class::cast).toList();
    }

    private static Stream<Class<?>> types(Class<?> type) {
        return type.isSealed()
                ? Stream.of(type.getPermittedSubclasses()).flatMap(Refusals::types)
                : Stream.of(type);
    }

    private static Stream<Object> of(Class<?> type) {
        var variants = new ArrayList<List<Object>>();
        variants.add(List.of());
        for (var component : type.getRecordComponents()) {
            var longer = new ArrayList<List<Object>>();
            for (var variant : variants) {
                for (var value : values(component.getGenericType())) {
                    longer.add(with(variant, value));
                }
            }
            variants.clear();
            variants.addAll(longer);
        }
        return variants.stream().map(values -> constructed(type, values));
    }

    private static List<Object> with(List<Object> values, Object value) {
        var longer = new ArrayList<>(values);
        longer.add(value);
        return longer;
    }

    private static List<?> values(Type type) {
        if (type instanceof ParameterizedType list) {
            var element = list.getActualTypeArguments()[0];
            return values(element).stream().map(List::of).toList();
        }
        var plain = (Class<?>) type;
        if (plain.isEnum()) return List.of(plain.getEnumConstants());
        var sample = SAMPLES.get(plain);
        return sample == null ? of(plain).toList() : List.of(sample);
    }

    private static Object constructed(Class<?> type, List<Object> values) {
        try {
            for (var constructor : type.getDeclaredConstructors()) {
                if (constructor.getParameterCount() == values.size()) {
                    return constructor.newInstance(values.toArray());
                }
            }
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("cannot construct " + type, e);
        }
        throw new LinkageError("no constructor of " + type);
    }
}
