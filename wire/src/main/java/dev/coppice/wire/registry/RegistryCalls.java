package dev.coppice.wire.registry;

import dev.coppice.wire.Call;
import dev.coppice.wire.Field;
import dev.coppice.wire.Method;
import dev.coppice.wire.blueprint.BlueprintCalls.Document;
import dev.coppice.wire.blueprint.BlueprintCalls.Documents;

import tools.jackson.databind.JsonNode;

/** The operations on the entries of one registry: its path, and words for its entries. */
public record RegistryCalls(String path, String entries, String entry, Method changing) {
    public static final RegistryCalls CAPABILITIES =
            new RegistryCalls("/capabilities", "capabilities", "capability", Method.PATCH);
    public static final RegistryCalls SCRIPTS =
            new RegistryCalls("/scripts", "scripts", "script", Method.PATCH);
    public static final RegistryCalls MCP_SERVERS =
            new RegistryCalls("/mcp-servers", "MCP servers", "MCP server", Method.PUT);

    public static final Call<At, Call.Bytes> DOWNLOAD =
            Call.get(
                            "download_script",
                            "/scripts/{name}/download",
                            At.class,
                            Call.Bytes.class,
                            "Download a script as tar.gz, for the originals' runners")
                    .older();

    /** The entry in the path. */
    public record At(@Field(value = "its name", example = "hello") String name) {}

    /** An entry to create. */
    public record Create(
            @Field(value = "the entry, as in docs/registries.md", in = Field.In.WHOLE_BODY)
                    JsonNode document) {}

    /** The fields of an entry to change. */
    public record Change(
            @Field(value = "its name", example = "hello") String name,
            @Field(
                            value = "the fields to change; null or empty to remove one",
                            in = Field.In.WHOLE_BODY)
                    JsonNode changes) {}

    public Call<Call.Nothing, Documents> list() {
        return Call.get(
                        name("list", entries),
                        path,
                        Call.Nothing.class,
                        Documents.class,
                        "List " + entries)
                .older();
    }

    public Call<Create, Document> create() {
        return Call.post(
                        name("create", entry),
                        path,
                        Create.class,
                        Document.class,
                        "Create " + article())
                .creates()
                .repeatable()
                .audited()
                .older();
    }

    public Call<At, Document> read() {
        return Call.get(name("read", entry), one(), At.class, Document.class, "Read " + article())
                .older();
    }

    public Call<Change, Document> change() {
        return Call.post(
                        name("change", entry),
                        one(),
                        Change.class,
                        Document.class,
                        "Change " + article())
                .by(changing)
                .audited()
                .older();
    }

    public Call<At, Call.Empty> remove() {
        return Call.get(
                        name("remove", entry),
                        one(),
                        At.class,
                        Call.Empty.class,
                        "Remove %s; refused while it is used".formatted(article()))
                .by(Method.DELETE)
                .destructive()
                .audited()
                .older();
    }

    private static String name(String verb, String what) {
        return verb + "_" + what.replace(' ', '_').toLowerCase(java.util.Locale.ROOT);
    }

    private String article() {
        return (entry.startsWith("M") ? "an " : "a ") + entry;
    }

    private String one() {
        return path + "/{name}";
    }
}
