package dev.coppice.house;

import static org.assertj.core.api.Assertions.assertThat;

import static java.util.Map.entry;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * A session whose id or name a caller sends is looked up through a function that asks what the
 * caller may: those of {@code Scope} and {@code Access}. Any other lookup in a face is named here
 * with the reason why nobody has to be asked.
 */
class LookupsTest {
    private static final Pattern LOOKUP =
            Pattern.compile("sessions(\\(\\))?\\s*\\.(find|named|isHidden)\\(");

    private static final List<String> FACES =
            List.of(
                    "follow",
                    "hooks",
                    "mcp",
                    "meter",
                    "observe",
                    "operations",
                    "originals",
                    "stream",
                    "telemetry",
                    "view",
                    "web");

    private static final String OF_A_ROW = "the id is in a row that the caller may read";
    private static final String OF_A_TOKEN = "the id is in the token";
    private static final String ASKED = "asked before or after, by another function that asks";

    private static final Map<String, String> NAMED =
            Map.ofEntries(
                    entry("hooks/Decisions", "the id is of an event that was recorded"),
                    entry(
                            "originals/family/FamilyTalk",
                            "the id is of an event that the socket may see"),
                    entry("hooks/Intake", ASKED + "; the other is in the token of a run"),
                    entry("stream/Beginning", "the stream was opened for this session"),
                    entry("mcp/McpRoutes", "a session of the protocol, of this caller"),
                    entry("observe/PlaceAgents", "the sessions that its caller has looked up"),
                    entry("observe/RecordObservations", OF_A_TOKEN + "; " + ASKED),
                    entry("operations/Audited", "the name of what the audit records"),
                    entry("operations/RunOperations", OF_A_ROW),
                    entry("operations/StopOperations", OF_A_ROW),
                    entry("operations/fleet/ProcessOperations", OF_A_ROW + "; " + ASKED),
                    entry("operations/look/AlertOperations", ASKED),
                    entry("operations/look/OutlineOperations", OF_A_ROW),
                    entry("originals/report/TreeReportOperations", ASKED),
                    entry("operations/token/SignIns", OF_A_TOKEN),
                    entry("operations/token/TokenOperations", OF_A_TOKEN),
                    entry("operations/wave/MemberStarter", "names are taken in all trees"),
                    entry("operations/wave/WaveOperations", OF_A_ROW),
                    entry("telemetry/ExportTrees", "a setting exports all trees"),
                    entry("meter/Meter", "the id is of a file that a runner has read"),
                    entry("meter/Transcripts", "the id is of a file that a runner has read"),
                    entry("view/Criticals", OF_A_ROW),
                    entry("view/Views", OF_A_ROW),
                    entry("web/Authentication", OF_A_TOKEN));

    private static final Map<String, Integer> MORE_THAN_ONE =
            Map.of(
                    "hooks/Intake", 2,
                    "observe/PlaceAgents", 4,
                    "observe/RecordObservations", 2,
                    "operations/fleet/ProcessOperations", 4,
                    "meter/Transcripts", 2,
                    "view/Criticals", 2);

    @Test
    void each_lookup_that_asks_nobody_is_named() {
        var found = new TreeMap<String, Integer>();
        for (var file : Sources.main()) {
            var name = file.toString().replaceFirst(".*/dev/coppice/", "").replace(".java", "");
            boolean isFace = FACES.contains(name.replaceFirst("/.*", ""));
            if (!isFace || name.equals("operations/Scope")) continue;
            int count = (int) LOOKUP.matcher(Sources.text(file)).results().count();
            if (count > 0) found.put(name, count);
        }
        var named = new TreeMap<String, Integer>();
        for (var name : NAMED.keySet()) named.put(name, MORE_THAN_ONE.getOrDefault(name, 1));
        assertThat(found).isEqualTo(named);
    }
}
