package dev.coppice.schema;

import com.networknt.schema.ExecutionContext;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaContext;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.keyword.BaseKeywordValidator;
import com.networknt.schema.keyword.Keyword;
import com.networknt.schema.keyword.KeywordType;
import com.networknt.schema.keyword.KeywordValidator;
import com.networknt.schema.path.NodePath;

import tools.jackson.databind.JsonNode;

import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The keyword {@code uniqueItems} by order in place of hashes: a caller can choose values that all
 * have one hash, and then each is compared with each.
 */
final class UniqueItems implements Keyword {
    @Override
    public String getValue() {
        return KeywordType.UNIQUE_ITEMS.getValue();
    }

    @Override
    public KeywordValidator newValidator(
            SchemaLocation at, JsonNode schema, Schema parent, SchemaContext context) {
        return new Validator(at, schema, parent, context);
    }

    private static final class Validator extends BaseKeywordValidator {
        private final boolean isAsked;

        Validator(SchemaLocation at, JsonNode schema, Schema parent, SchemaContext context) {
            super(KeywordType.UNIQUE_ITEMS, schema, at, parent, context);
            this.isAsked = schema.isBoolean() && schema.booleanValue();
        }

        @Override
        public void validate(ExecutionContext x, JsonNode node, JsonNode root, NodePath at) {
            if (!isAsked || !node.isArray()) return;
            var items = new TreeSet<String>();
            for (var item : node) {
                var form = new StringBuilder();
                write(item, form);
                if (items.add(form.toString())) continue;
                x.addError(
                        error().instanceNode(node)
                                .instanceLocation(at)
                                .evaluationPath(x.getEvaluationPath())
                                .locale(x.getExecutionConfig().getLocale())
                                .build());
            }
        }
    }

    /** A text that two values share if JSON Schema calls them equal: 1 and 1.0 do. */
    private static void write(JsonNode value, StringBuilder form) {
        CheckInTime.look();
        switch (value.getNodeType()) {
            case STRING -> write(value.asString(), form);
            case NUMBER -> form.append(number(value)).append(',');
            case ARRAY -> {
                form.append('[');
                value.forEach(item -> write(item, form));
                form.append(']');
            }
            case OBJECT -> {
                var fields = new TreeMap<String, JsonNode>();
                value.properties().forEach(f -> fields.put(f.getKey(), f.getValue()));
                form.append('{');
                fields.forEach((name, field) -> {
                    write(name, form);
                    write(field, form);
                });
                form.append('}');
            }
            default -> form.append(value).append(',');
        }
    }

    private static void write(String text, StringBuilder form) {
        form.append('"').append(text.length()).append('"').append(text);
    }

    /** A number above the range of doubles is read as infinite, which has no decimal value. */
    private static String number(JsonNode value) {
        return value.isDouble() && Double.isInfinite(value.doubleValue())
                ? String.valueOf(value.doubleValue())
                : value.decimalValue().stripTrailingZeros().toString();
    }
}
