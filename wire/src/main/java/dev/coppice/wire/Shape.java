package dev.coppice.wire;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
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

    public Shape {
        parts = List.copyOf(parts);
    }

    public record Part(
            String name,
            Type type,
            Field field,
            @Nullable Shape inline,
            RecordComponent component) {
        /** Tells required fields from optional ones. */
        public enum Need {
            REQUIRED,
            OPTIONAL
        }

        /** Read from the type of the component; a client never asks. */
        public Need need() {
            boolean optional = component.getAnnotatedType().isAnnotationPresent(Nullable.class);
            return optional ? Need.OPTIONAL : Need.REQUIRED;
        }

        public boolean isRequired() {
            return need() == Need.REQUIRED && field.fallback().isEmpty() && inline == null;
        }

        public @Nullable Object of(Object record) {
            return valueOf(component, record);
        }
    }

    /** The value of a component. */
    public static @Nullable Object valueOf(RecordComponent component, Object record) {
        try {
            var accessor = component.getAccessor();
            accessor.setAccessible(true);
            return accessor.invoke(record);
        } catch (IllegalAccessException | InvocationTargetException e) {
            throw new IllegalStateException(
                    "reading %s of %s".formatted(component.getName(), record.getClass()), e);
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

    /** The field of a component. */
    public static Part part(RecordComponent component) {
        var field = described(component);
        return new Part(
                field.name().isEmpty() ? snake(component.getName()) : field.name(),
                component.getGenericType(),
                field,
                component.isAnnotationPresent(Inline.class) ? of(component.getType()) : null,
                component);
    }

    private static Field described(AnnotatedElement component) {
        var field = component.getAnnotation(Field.class);
        return field == null ? Undescribed.FIELD : field;
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

    /** A name in snake case. Written by hand: a pattern costs each command milliseconds. */
    public static String snake(String name) {
        var snake = new StringBuilder(name.length() + 4);
        for (int i = 0; i < name.length(); i++) {
            char each = name.charAt(i);
            boolean begins = i > 0 && isUpper(each) && isLowerOrDigit(name.charAt(i - 1));
            if (begins) snake.append('_');
            snake.append(isUpper(each) ? (char) (each - 'A' + 'a') : each);
        }
        return snake.toString();
    }

    private static boolean isUpper(char each) {
        return each >= 'A' && each <= 'Z';
    }

    private static boolean isLowerOrDigit(char each) {
        return (each >= 'a' && each <= 'z') || (each >= '0' && each <= '9');
    }

    /** The form of an enum constant on the wire. */
    public static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    private record Bare(@Field("") String field) {}

    /** Read when it is needed: the first annotation takes a command seven milliseconds. */
    private static final class Undescribed {
        private static final Field FIELD =
                Bare.class.getRecordComponents()[0].getAnnotation(Field.class);
    }
}
