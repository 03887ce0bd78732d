package dev.coppice.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.access.Access;
import dev.coppice.access.Need;
import dev.coppice.access.Role;
import dev.coppice.request.WireSchema;
import dev.coppice.web.Route;
import dev.coppice.wire.Call;
import dev.coppice.wire.Call.Trait;
import dev.coppice.wire.Json;
import dev.coppice.wire.Shape;

import org.junit.jupiter.api.Test;

import tools.jackson.databind.JsonNode;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The reference of all operations is generated from their calls. */
class OperationsPageTest {
    private static final Path PAGE =
            Path.of(System.getProperty("coppice.root", "..")).resolve("docs/operations.md");

    @Test
    void the_page_has_every_operation_with_its_fields() throws IOException {
        try (var server = Product.caller()) {
            var page = page(server);
            if (Boolean.getBoolean("coppice.rewrite")) Files.writeString(PAGE, page);
            assertThat(PAGE)
                    .as("rewrite it with: mvn -pl originals -am test -Dcoppice.rewrite=true")
                    .content()
                    .isEqualToNormalizingNewlines(page);
        }
    }

    private static String page(Caller server) {
        var text =
                new StringBuilder(
                        "# Operations\n\nThe operations of the HTTP API. `/openapi.json` of a"
                                + " coordinator describes them for programs, with the shapes of"
                                + " answers. *Roles* are those that may call an operation; see"
                                + " [who-may.md](who-may.md).\n");
        server.coordinator().routes().stream()
                .filter(route -> !route.call().says().endsWith("not offered yet"))
                .sorted(Comparator.comparing(Route::path).thenComparing(Route::method))
                .forEach(route -> text.append(operation(route)));
        return text.toString();
    }

    private static String operation(Route route) {
        var call = route.call();
        var text = new StringBuilder("\n## %s\n\n".formatted(call.name()));
        text.append("`%s %s`\n\n%s.".formatted(call.method(), call.path(), call.says()));
        text.append(" Roles: %s.".formatted(roles(route.need())));
        var traits = new LinkedHashMap<Trait, String>();
        traits.put(Trait.REPEATABLE, " With an `Idempotency-Key` it repeats its answer for a day.");
        traits.put(Trait.DESTRUCTIVE, " Destructive.");
        traits.forEach((trait, sentence) -> text.append(call.is(trait) ? sentence : ""));
        text.append('\n');
        var parts = Shape.of(call.input()).flat();
        if (!parts.isEmpty()) {
            text.append("\n| field | in | type | default | meaning |\n|---|---|---|---|---|\n");
            for (var part : parts) text.append(row(call, part));
        }
        return text.toString();
    }

    private static String row(Call<?, ?> call, Shape.Part part) {
        var schema = new WireSchema("").field(part);
        return "| `%s`%s | %s | %s | %s | %s |\n"
                .formatted(
                        part.name(),
                        part.isRequired() ? " (required)" : "",
                        Shape.word(call.where(part)).replace('_', ' '),
                        type(schema),
                        part.field().fallback(),
                        part.field().value());
    }

    private static String type(JsonNode schema) {
        if (schema.has("anyOf")) return type(schema.get("anyOf").get(0));
        if (schema.has("$ref")) return "object";
        if (schema.has("enum")) {
            return schema.get("enum")
                    .valueStream()
                    .filter(word -> !word.isNull())
                    .map(JsonNode::asString)
                    .collect(Collectors.joining(", "));
        }
        if (schema.has("pattern")) return "time";
        var type = schema.path("type");
        var name = type.isArray() ? type.get(0).asString() : type.asString("any");
        var min = Json.text(schema, "minimum");
        var max = Json.text(schema, "maximum");
        if (min == null) return name;
        return max == null ? name + " ≥ " + min : "%s %s–%s".formatted(name, min, max);
    }

    private static String roles(Need need) {
        if (need == Need.NOTHING) return "anyone";
        return Stream.of(Role.values())
                .filter(role -> Access.may(role, need))
                .map(Shape::word)
                .collect(Collectors.joining(", "));
    }
}
