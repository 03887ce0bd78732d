package dev.coppice.wire;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/** The fields of a wire record: their names on the wire, types and descriptions. */
public record Shape(Class<?> type, List<Part> parts) {
    private static final Map<Class<?>, Shape> KNOWN = new ConcurrentHashMap<>();
    private static final Field UNDESCRIBED = undescribed();

    public Shape {
        parts = List.copyOf(parts);
    }

    public record Part(
            String name,
            Type type,
            Need need,
            Field field,
            @Nullable Shape inline,
            Method accessor) {
        /** Tells required fields from optional ones. */
        public enum Need {
            REQUIRED,
            OPTIONAL
        }

        public boolean isRequired() {
            return need == Need.REQUIRED && field.fallback().isEmpty() && inline == null;
        }

        public @Nullable Object of(Object record) {
            try {
                return accessor.invoke(record);
            } catch (IllegalAccessException | InvocationTargetException e) {
                throw new IllegalStateException("reading " + name + " of " + record.getClass(), e);
            }
        }
    }

    public static Shape of(Class<?> type) {
        var known = KNOWN.get(type);
        if (known != null) return known;
        var read = read(type);
        KNOWN.put(type, read);
        return read;
    }

    private static Shape read(Class<?> type) {
        var components = type.getRecordComponents();
        if (components == null) throw new IllegalArgumentException(type + " is not a record");
        return new Shape(type, Arrays.stream(components).map(Shape::part).toList());
    }

    private static Part part(RecordComponent component) {
        var field = described(component);
        boolean optional = component.getAnnotatedType().isAnnotationPresent(Nullable.class);
        component.getAccessor().setAccessible(true);
        return new Part(
                field.name().isEmpty() ? snake(component.getName()) : field.name(),
                component.getGenericType(),
                optional ? Part.Need.OPTIONAL : Part.Need.REQUIRED,
                field,
                component.isAnnotationPresent(Inline.class) ? of(component.getType()) : null,
                component.getAccessor());
    }

    private static Field described(AnnotatedElement component) {
        var field = component.getAnnotation(Field.class);
        return field == null ? UNDESCRIBED : field;
    }

    /** All fields of a request, with inlined records replaced by their fields. */
    public List<Part> flat() {
        return parts.stream()
                .flatMap(p -> p.inline() == null ? Stream.of(p) : p.inline().flat().stream())
                .toList();
    }

    /** The names of all fields of a request. */
    public List<String> names() {
        return flat().stream().map(Part::name).toList();
    }

    /** Returns an unknown field of the object, or of a record in it; null if there is none. */
    public @Nullable Unknown unknownIn(JsonNode object) {
        return unknownIn(object, "");
    }

    /** An unknown field, and the fields that are possible in its place. */
    public record Unknown(String field, List<String> known) {
        public Unknown {
            known = List.copyOf(known);
        }
    }

    private @Nullable Unknown unknownIn(JsonNode object, String prefix) {
        for (var field : object.properties()) {
            var name = field.getKey();
            var part = flat().stream().filter(p -> p.name().equals(name)).findFirst();
            if (part.isEmpty()) return new Unknown(prefix + name, names());
            boolean isRecord = part.get().type() instanceof Class<?> type && type.isRecord();
            if (!isRecord || !field.getValue().isObject()) continue;
            var inside = of((Class<?>) part.get().type());
            var unknown = inside.unknownIn(field.getValue(), prefix + name + ".");
            if (unknown != null) return unknown;
        }
        return null;
    }

    /** The values of {@link #flat()} in a record of this shape. */
    public List<@Nullable Object> values(Object record) {
        var values = new ArrayList<@Nullable Object>();
        for (var part : parts) {
            var value = part.of(record);
            var inline = part.inline();
            if (inline == null) values.add(value);
            else values.addAll(inline.values(Objects.requireNonNull(value)));
        }
        return values;
    }

    public Object make(List<@Nullable Object> values) {
        try {
            return constructor().newInstance(values.toArray());
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("making a " + type, e);
        }
    }

    private Constructor<?> constructor() throws NoSuchMethodException {
        var types =
                Arrays.stream(type.getRecordComponents())
                        .map(RecordComponent::getType)
                        .toArray(Class<?>[]::new);
        var constructor = type.getDeclaredConstructor(types);
        constructor.setAccessible(true);
        return constructor;
    }

    public static String snake(String name) {
        return name.replaceAll("(?<=[a-z0-9])(?=[A-Z])", "_").toLowerCase(Locale.ROOT);
    }

    /** The form of an enum constant on the wire. */
    public static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    private record Bare(@Field("") String field) {}

    private static Field undescribed() {
        return Bare.class.getRecordComponents()[0].getAnnotation(Field.class);
    }
}
