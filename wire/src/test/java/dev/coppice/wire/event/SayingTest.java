package dev.coppice.wire.event;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.wire.Json;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SayingTest {
    /** Programs and agents write the events, so any value may stand anywhere. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "PreToolUse  | {\"tool_name\":\"Bash\",\"tool_input\":{\"command\":\"mvn test\"}} |"
                        + " DOES Bash: mvn test",
                "pre_tool    |"
                    + " {\"tool_name\":\"Edit\",\"tool_input\":{\"file_path\":\"/a/Reach.java\"}} |"
                    + " DOES edits Reach.java",
                "x           |"
                    + " {\"payload\":{\"tool_name\":\"Write\",\"tool_input\":{\"path\":\"a\\\\b.c\"}}}"
                    + " | DOES writes b.c",
                "pre_tool    | {\"tool_name\":\"Read\",\"tool_input\":{\"file_path\":\"///\"}} |"
                        + " DOES Read: ///",
                "pre_tool    | {\"tool_name\":\"Read\",\"tool_input\":[]} | DOES Read: []",
                "pre_tool    | {\"tool_name\":{\"a\":1}} | ''",
                "post_tool   | {\"tool_output\":\"hello\"} | ''",
                "message     |"
                    + " {\"role\":\"assistant\",\"content\":[{\"type\":\"text\",\"text\":\"Hi\"},\""
                    + " you\",{}]} | SAYS Hi you",
                "message     | {\"role\":\"user\",\"content\":\"go\"} | TOLD go",
                "message     | {\"content\":{}} | ''",
                "Stop        | {\"last_assistant_message\":\"all done\"} | SAYS all done",
                "AfterAgent  | {\"prompt\":\"x\",\"prompt_response\":\"done as told\"} | SAYS done"
                        + " as told",
                "BeforeAgent | {\"prompt\":\" look \"} | TOLD look",
                "program_error | {\"error\":\"no key\"} | FAILED no key",
                "ModelUse    | {\"model\":\"m\"} | ''",
                "Stop        | [] | ''",
            })
    void an_event_of_any_program_tells_what_its_agent_does(
            String type, String details, String told) {
        var saying = Saying.of(type.strip(), Json.read(details));
        assertThat(saying.map(s -> s.kind() + " " + s.text()).orElse("")).isEqualTo(told);
    }
}
