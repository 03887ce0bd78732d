package dev.coppice.registry;

import dev.coppice.wire.Json;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * The files of the entries of a registry: {@code DIRECTORY/NAME/FILE}, and beside it those that
 * hold single fields. The document has the name of the entry in {@code key}, and the time of its
 * last change in {@code modified}.
 */
public record Layout(String directory, String file, String key, String modified, List<Side> sides) {
    /** The field with the time at which an entry was created. */
    static final String CREATED = "created_at";

    public static final Layout AGENTS =
            new Layout(
                    "agents",
                    "agent.json",
                    "name",
                    "modified_at",
                    List.of(
                            new Side.Mark("status", ".disabled", "inactive"),
                            new Side.Text("system_prompt", "agent.system-prompt.md"),
                            new Side.McpServers("mcp_servers", "agent.mcp.json")));
    public static final Layout CAPABILITIES =
            new Layout(
                    "capabilities",
                    "capability.json",
                    "name",
                    "modified_at",
                    List.of(
                            new Side.Text("text", "capability.text.md"),
                            new Side.McpServers("mcp_servers", "capability.mcp.json")));
    public static final Layout SCRIPTS =
            new Layout(
                    "scripts",
                    "script.json",
                    "name",
                    "modified_at",
                    List.of(new Side.Named("script_content", "script_file")));
    public static final Layout MCP_SERVERS =
            new Layout("mcp-servers", "mcp-server.json", "id", "updated_at", List.of());

    /** In the order of references: entries refer to entries of the registries before theirs. */
    public static final List<Layout> ALL = List.of(MCP_SERVERS, SCRIPTS, CAPABILITIES, AGENTS);

    public static final String FILE_RULE =
            "1 to 100 of A-Z a-z 0-9 _ . -, beginning with a letter, a digit or '_', and not the"
                    + " name of the entry's own document";

    private static final Predicate<String> PLAIN_FILE =
            Pattern.compile("[A-Za-z0-9_][A-Za-z0-9_.-]{0,99}").asMatchPredicate();

    public Layout {
        sides = List.copyOf(sides);
    }

    /**
     * The document of an entry with the fields of the files beside it; a field in the document
     * wins. {@code texts} gives the text of a file, or null if there is none.
     */
    public ObjectNode assembled(String name, Texts texts) throws IOException {
        var text = texts.of(file);
        if (text == null) throw new Fault(file, "none", "there");
        if (!(Json.read(text) instanceof ObjectNode document)) {
            throw new Fault("document", "no object", "a JSON object");
        }
        document.put(key, name);
        for (var side : sides) {
            if (document.hasNonNull(side.field())) continue;
            var beside = side.file(document);
            var found = beside == null || !isSide(beside) ? null : texts.of(beside);
            if (found != null) document.set(side.field(), side.read(found));
        }
        return document;
    }

    /** The texts of the files of an entry. */
    public interface Texts {
        @Nullable String of(String file) throws IOException;
    }

    /** The names of the files beside the document of an entry. */
    public List<String> besides(JsonNode document) {
        var names = new ArrayList<String>();
        for (var side : sides) {
            var name = side.file(document);
            if (name != null && isSide(name)) names.add(name);
        }
        return names;
    }

    private boolean isSide(String name) {
        return isFileName(name) || sides.stream().anyMatch(side -> name.equals(side.fixed()));
    }

    /** The document of a new entry, with its times. */
    public JsonNode created(JsonNode sent, Instant now) {
        var document = (ObjectNode) sent.deepCopy();
        return document.put(CREATED, now.toString()).put(modified, now.toString());
    }

    /** The document with these fields replaced; one that is null or empty is removed. */
    public JsonNode changed(JsonNode before, JsonNode changes, Instant now) {
        var document = (ObjectNode) before.deepCopy();
        for (var field : changes.properties()) {
            var value = field.getValue();
            boolean isRemoved = value.isNull() || (value.isContainer() && value.isEmpty());
            if (isRemoved || value.asString("-").isEmpty()) document.remove(field.getKey());
            else document.set(field.getKey(), value);
        }
        for (var fixed : List.of(key, CREATED)) document.set(fixed, before.path(fixed));
        return document.put(modified, now.toString());
    }

    /** True for names that cannot leave the directory of the entry or replace its document. */
    public boolean isFileName(String name) {
        return PLAIN_FILE.test(name) && !name.equals(file) && !name.endsWith(Entries.BESIDE);
    }
}
