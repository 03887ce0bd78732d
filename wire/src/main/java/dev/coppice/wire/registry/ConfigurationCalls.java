package dev.coppice.wire.registry;

import dev.coppice.wire.Call;
import dev.coppice.wire.Field;

import java.util.List;

/** The export and import of blueprints and everything that they refer to. */
public final class ConfigurationCalls {
    public static final Call<Call.Nothing, Call.Bytes> EXPORT =
            Call.get(
                            "export_configuration",
                            "/config/export",
                            Call.Nothing.class,
                            Call.Bytes.class,
                            "Download blueprints and registries as tar.gz")
                    .older();
    public static final Call<Archive, Imported> IMPORT =
            Call.post(
                            "import_configuration",
                            "/config/import",
                            Archive.class,
                            Imported.class,
                            "Replace the registries that an archive has")
                    .destructive()
                    .audited()
                    .older();

    private ConfigurationCalls() {}

    /** The archive to import. */
    public record Archive(
            @Field("the tar.gz: in Base64, as the part of a form, or as the whole body")
                    String file) {}

    /** The numbers of imported and of replaced entries. */
    public record Imported(
            @Field("what was done") String message,
            @Field("blueprints of the archive") int agentsImported,
            @Field("capabilities of the archive") int capabilitiesImported,
            @Field("blueprints before") int agentsReplaced,
            @Field("capabilities before") int capabilitiesReplaced,
            @Field("scripts of the archive") int scriptsImported,
            @Field("MCP servers of the archive") int mcpServersImported,
            @Field("scripts before") int scriptsReplaced,
            @Field("MCP servers before") int mcpServersReplaced,
            @Field("files of the archive that belong to no entry") List<String> ignored,
            @Field("references that lead nowhere yet") List<String> unresolved) {}
}
