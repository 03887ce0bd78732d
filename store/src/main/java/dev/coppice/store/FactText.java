package dev.coppice.store;

import dev.coppice.journal.Fact;
import dev.coppice.kernel.JsonText;

import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.deser.std.StdDeserializer;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.module.SimpleModule;
import tools.jackson.databind.ser.std.StdSerializer;

import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Facts as rows: a type and a body, both derived from the record. The type of a reported event
 * starts with an asterisk, so that it cannot collide with a type of ours.
 */
final class FactText {
    private static final String REPORTED = "*";
    private static final JsonMapper MAPPER =
            JsonMapper.builder()
                    .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
                    .addModule(
                            new SimpleModule()
                                    .addSerializer(new AsText())
                                    .addDeserializer(JsonText.class, new FromText()))
                    .build();
    private static final Map<String, Class<?>> TYPES =
            Arrays.stream(Fact.class.getPermittedSubclasses())
                    .collect(Collectors.toUnmodifiableMap(FactText::type, Function.identity()));

    private FactText() {}

    static String type(Class<?> fact) {
        return fact.getSimpleName().replaceAll("(?<=.)([A-Z])", "_$1").toLowerCase(Locale.ROOT);
    }

    static String type(Fact fact) {
        return fact instanceof Fact.Reported(var type, _) ? reported(type) : type(fact.getClass());
    }

    /** The stored type of an event that an agent reported. */
    static String reported(String type) {
        return REPORTED + type;
    }

    static String body(Fact fact) {
        return switch (fact) {
            case Fact.Reported(_, var body) -> body.value();
            // The body of these two is the bare shot.
            case Fact.SessionCreated(var shot) -> MAPPER.writeValueAsString(shot);
            case Fact.SessionUpdated(var shot) -> MAPPER.writeValueAsString(shot);
            case Fact other -> MAPPER.writeValueAsString(other);
        };
    }

    static Fact fact(String type, String body) {
        if (type.startsWith(REPORTED)) {
            return new Fact.Reported(type.substring(1), new JsonText(body));
        }
        var record = TYPES.get(type);
        if (record == null) throw new IllegalStateException("unknown fact " + type);
        if (record == Fact.SessionCreated.class) return new Fact.SessionCreated(shot(body));
        if (record == Fact.SessionUpdated.class) return new Fact.SessionUpdated(shot(body));
        return (Fact) MAPPER.readValue(body, record);
    }

    private static Fact.SessionShot shot(String body) {
        return MAPPER.readValue(body, Fact.SessionShot.class);
    }

    private static final class AsText extends StdSerializer<JsonText> {
        AsText() {
            super(JsonText.class);
        }

        @Override
        public void serialize(JsonText value, JsonGenerator to, SerializationContext context)
                throws JacksonException {
            to.writeString(value.value());
        }
    }

    private static final class FromText extends StdDeserializer<JsonText> {
        FromText() {
            super(JsonText.class);
        }

        @Override
        public JsonText deserialize(JsonParser from, DeserializationContext context)
                throws JacksonException {
            return new JsonText(from.getString());
        }
    }
}
