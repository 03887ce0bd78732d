package dev.coppice.client;

import com.fasterxml.jackson.annotation.JsonUnwrapped;

import dev.coppice.wire.Length;
import dev.coppice.wire.Shape;
import dev.coppice.wire.blueprint.BlueprintCalls;
import dev.coppice.wire.event.EventView;
import dev.coppice.wire.removal.WorkView;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Makes a record of the wire of plain JSON, by the names and types of its components alone. The
 * mapper also reads their annotations; the first of them takes a command seven milliseconds.
 */
final class Reading {
    private static final Map<Class<?>, Plain> KNOWN = new ConcurrentHashMap<>();

    /** Records whose annotations give them another form than their components. */
    static final Set<Class<?>> FORMS_OF_THEIR_OWN =
            Set.of(
                    BlueprintCalls.Document.class,
                    BlueprintCalls.Documents.class,
                    WorkView.class,
                    Length.class);

    private Reading() {}

    /**
     * A record without a form of its own. An unnamed component has its fields in the same object.
     */
    private record Plain(Constructor<?> constructor, List<String> names, List<Type> types) {}

    private static final String UNNAMED = "";

    /** The component that has all fields without a component. */
    private static final String REST = "\0";

    /** The value is not plain: the mapper has to read it. */
    private static final class NotPlain extends Exception {
        private static final long serialVersionUID = 1;

        NotPlain() {
            super(null, null, false, false);
        }
    }

    /** The value as a record of this type; null if the mapper has to read it. */
    static <T> @Nullable T as(Object value, Class<T> type) {
        try {
            return type.cast(made(value, type));
        } catch (NotPlain _) {
            return null;
        }
    }

    private static @Nullable Object made(@Nullable Object value, Type type) throws NotPlain {
        if (value instanceof PlainJson.Nothing && type == JsonNode.class) {
            return JsonNodeFactory.instance.nullNode();
        }
        if (value == null || value instanceof PlainJson.Nothing) return nothing(type);
        if (type instanceof Class<?> of) return made(value, of);
        boolean isList = type instanceof ParameterizedType of && of.getRawType() == List.class;
        if (!isList || !(value instanceof List<?> items)) throw new NotPlain();
        var each = ((ParameterizedType) type).getActualTypeArguments()[0];
        var all = new ArrayList<@Nullable Object>(items.size());
        for (var item : items) all.add(made(item, each));
        return all;
    }

    private static @Nullable Object nothing(Type type) throws NotPlain {
        if (type instanceof Class<?> of && of.isPrimitive()) throw new NotPlain();
        return null;
    }

    private static Object made(Object value, Class<?> type) throws NotPlain {
        if (value instanceof String && type == String.class) return value;
        if (value instanceof Boolean && (type == boolean.class || type == Boolean.class)) {
            return value;
        }
        if (value instanceof Long number) {
            if (type == long.class || type == Long.class) return number;
            boolean fits = number.longValue() == number.intValue();
            if (fits && (type == int.class || type == Integer.class)) return number.intValue();
        }
        if (value instanceof Map<?, ?> object) {
            if (type.isSealed()) return record(object, fitting(object, type));
            if (type.isRecord()) return record(object, type);
        }
        if (type == JsonNode.class) return node(value);
        if (value instanceof String word && type.isEnum()) return constant(word, type);
        throw new NotPlain();
    }

    private static Object constant(String word, Class<?> type) throws NotPlain {
        for (var constant : type.getEnumConstants()) {
            if (Shape.word((Enum<?>) constant).equals(word)) return constant;
        }
        throw new NotPlain();
    }

    /**
     * The permitted record that has exactly these fields. At one more or one less, the mapper
     * chooses: a field may be left out, and a later coordinator may add one.
     */
    private static Class<?> fitting(Map<?, ?> object, Class<?> type) throws NotPlain {
        for (var option : type.getPermittedSubclasses()) {
            if (!option.isRecord()) throw new NotPlain();
            var names = plain(option).names();
            if (names.size() == object.size() && object.keySet().containsAll(names)) return option;
        }
        throw new NotPlain();
    }

    /** The details of an event: its fields that have no component. */
    private static Map<String, JsonNode> rest(Map<?, ?> object, List<String> names)
            throws NotPlain {
        if (object.containsKey("details")) throw new NotPlain();
        var details = new LinkedHashMap<String, JsonNode>();
        object.forEach((name, value) -> {
            if (!names.contains(name)) details.put((String) name, node(value));
        });
        return details;
    }

    /** A switch over types would make a class at each start of a command. */
    private static JsonNode node(Object value) {
        var nodes = JsonNodeFactory.instance;
        if (value instanceof Map<?, ?> fields) {
            var object = nodes.objectNode();
            fields.forEach((name, field) -> object.set((String) name, node(field)));
            return object;
        }
        if (value instanceof List<?> items) {
            var array = nodes.arrayNode();
            for (var item : items) array.add(node(item));
            return array;
        }
        if (value instanceof String text) return nodes.stringNode(text);
        if (value instanceof Boolean truth) return nodes.booleanNode(truth);
        if (!(value instanceof Long number)) return nodes.nullNode();
        return number == number.intValue()
                ? nodes.numberNode(number.intValue())
                : nodes.numberNode(number);
    }

    private static Object record(Map<?, ?> object, Class<?> type) throws NotPlain {
        var plain = plain(type);
        var values = new @Nullable Object[plain.names().size()];
        for (int i = 0; i < values.length; i++) {
            var name = plain.names().get(i);
            var value = name.equals(UNNAMED) ? object : object.get(name);
            values[i] =
                    name.equals(REST)
                            ? rest(object, plain.names())
                            : made(value, plain.types().get(i));
        }
        try {
            return plain.constructor().newInstance(values);
        } catch (InvocationTargetException _) {
            // The record refuses the values, which the mapper reports.
            throw new NotPlain();
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("making a " + type, e);
        }
    }

    private static Plain plain(Class<?> type) throws NotPlain {
        var known = KNOWN.get(type);
        if (known != null) return known;
        if (FORMS_OF_THEIR_OWN.contains(type)) throw new NotPlain();
        var components = type.getRecordComponents();
        var names = new ArrayList<String>();
        var types = new ArrayList<Type>();
        var raw = new Class<?>[components.length];
        for (int i = 0; i < components.length; i++) {
            raw[i] = components[i].getType();
            names.add(name(type, components[i]));
            types.add(components[i].getGenericType());
        }
        try {
            var constructor = type.getDeclaredConstructor(raw);
            constructor.setAccessible(true);
            var made = new Plain(constructor, List.copyOf(names), List.copyOf(types));
            KNOWN.put(type, made);
            return made;
        } catch (NoSuchMethodException e) {
            throw new IllegalStateException("every record has its constructor", e);
        }
    }

    private static String name(Class<?> type, RecordComponent component) {
        var name = Shape.snake(component.getName());
        if (type == EventView.class && name.equals("details")) return REST;
        return isUnwrapped(component) ? UNNAMED : name;
    }

    private static boolean isUnwrapped(RecordComponent component) {
        return component.getType().isRecord()
                && component.getAccessor().isAnnotationPresent(JsonUnwrapped.class);
    }
}
