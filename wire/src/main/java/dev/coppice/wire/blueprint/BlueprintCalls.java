package dev.coppice.wire.blueprint;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;

import dev.coppice.wire.Call;
import dev.coppice.wire.Field;
import dev.coppice.wire.Method;
import dev.coppice.wire.Sizes;
import dev.coppice.word.BlueprintStatus;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.util.List;

/** Blueprints, under their older name: agents. */
public final class BlueprintCalls {
    public static final Call<Find, Documents> LIST =
            Call.get("list_blueprints", "/agents", Find.class, Documents.class, "List blueprints")
                    .older();
    public static final Call<Create, Document> CREATE =
            Call.post(
                            "create_blueprint",
                            "/agents",
                            Create.class,
                            Document.class,
                            "Create a blueprint")
                    .creates()
                    .repeatable()
                    .audited()
                    .older();
    public static final Call<Read, Document> READ =
            Call.get(
                            "read_blueprint",
                            "/agents/{name}",
                            Read.class,
                            Document.class,
                            "Read a blueprint")
                    .older();
    public static final Call<Create, Document> CHECK =
            Call.post(
                    "check_blueprint",
                    "/blueprint-checks",
                    Create.class,
                    Document.class,
                    "Check a blueprint as for its creation, and store nothing");
    public static final Call<Change, Document> CHANGE =
            Call.post(
                            "change_blueprint",
                            "/agents/{name}",
                            Change.class,
                            Document.class,
                            "Change a blueprint")
                    .by(Method.PATCH)
                    .audited()
                    .older();
    public static final Call<At, Call.Empty> REMOVE =
            Call.get(
                            "remove_blueprint",
                            "/agents/{name}",
                            At.class,
                            Call.Empty.class,
                            "Remove a blueprint")
                    .by(Method.DELETE)
                    .destructive()
                    .audited()
                    .older();
    public static final Call<Activate, Document> ACTIVATE =
            Call.post(
                            "activate_blueprint",
                            "/agents/{name}/status",
                            Activate.class,
                            Document.class,
                            "Activate or deactivate a blueprint")
                    .by(Method.PATCH)
                    .audited()
                    .older();

    private BlueprintCalls() {}

    /** The blueprint in the path. */
    public record At(@Field(value = "its name", example = "scripted") String name) {}

    /** The blueprint in the path, as it is or with what it refers to. */
    public record Read(
            @Field(value = "its name", example = "scripted") String name,
            @Field(
                            value = "true for the blueprint without its capabilities and script",
                            fallback = "false")
                    boolean raw) {}

    /** Selects the blueprints to list. */
    public record Find(
            @Field(value = "only blueprints with all of these tags, comma-separated")
                    @Nullable List<String> tags,
            @Field("only names after this one") @Nullable String after,
            @Field(
                            value = "the maximum number of blueprints; all if absent",
                            min = 1,
                            max = Sizes.PAGE_ITEMS_MAX)
                    @Nullable Integer limit) {}

    /** A blueprint to create. */
    public record Create(
            @Field(value = "the blueprint, as in docs/blueprints.md", in = Field.In.WHOLE_BODY)
                    JsonNode document) {}

    /** The fields of a blueprint to change. */
    public record Change(
            @Field(value = "its name", example = "scripted") String name,
            @Field(value = "the fields to change", in = Field.In.WHOLE_BODY) JsonNode changes) {}

    /** Sets the state of a blueprint. */
    public record Activate(
            @Field(value = "its name", example = "scripted") String name,
            @Field("active or inactive") BlueprintStatus status) {}

    /** A blueprint, with all fields that it was created with. */
    public record Document(@JsonValue JsonNode document) {
        @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
        public Document {}
    }

    /** Blueprints, by name. */
    public record Documents(@JsonValue List<Document> documents) {
        @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
        public Documents {}
    }
}
