package dev.coppice.wire;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Server-sent events, as the specification of HTML reads them. */
class SseFrameTest {
    private static List<SseFrame> read(String stream) {
        return read(new ByteArrayInputStream(stream.getBytes(StandardCharsets.UTF_8)));
    }

    private static List<SseFrame> read(InputStream stream) {
        var frames = new ArrayList<SseFrame>();
        var reader = new SseFrame.Reader();
        try (var lines =
                new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))) {
            for (var line = lines.readLine(); line != null; line = lines.readLine()) {
                reader.line(line).ifPresent(frames::add);
            }
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        return frames;
    }

    @Test
    void a_frame_has_its_id_its_type_and_its_data() {
        assertThat(read("id: 7\nevent: event\ndata: {\"a\":1}\n\n"))
                .containsExactly(new SseFrame("7", "event", "{\"a\":1}"));
    }

    @Test
    void a_frame_without_a_type_is_a_message() {
        assertThat(read("data: x\n\n")).containsExactly(new SseFrame("", "message", "x"));
        assertThat(read("event:\ndata: x\n\n")).containsExactly(new SseFrame("", "message", "x"));
    }

    @Test
    void the_type_ends_with_its_frame_and_the_id_goes_on() {
        assertThat(read("id: 1\nevent: a\ndata: x\n\ndata: y\n\n"))
                .containsExactly(new SseFrame("1", "a", "x"), new SseFrame("1", "message", "y"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"\n", "\r\n", "\r"})
    void lines_may_end_in_three_ways(String end) {
        var stream = String.join(end, "id: 1", "event: a", "data: x", "data: y", "", "");
        assertThat(read(stream)).containsExactly(new SseFrame("1", "a", "x\ny"));
    }

    @Test
    void comments_and_unknown_fields_are_skipped() {
        var stream =
                """
                : still here

                retry: 10
                identity: 9
                database: x
                :data: z
                data: x

                """;
        assertThat(read(stream)).containsExactly(new SseFrame("", "message", "x"));
    }

    @Test
    void one_space_after_the_colon_is_not_data() {
        assertThat(read("data:x\n\ndata:  x\n\n"))
                .extracting(SseFrame::data)
                .containsExactly("x", " x");
    }

    @Test
    void a_frame_without_data_is_none_but_its_id_counts() {
        assertThat(read("id: 5\nevent: a\n\ndata: x\n\n"))
                .containsExactly(new SseFrame("5", "message", "x"));
    }

    @Test
    void an_empty_line_of_data_is_a_line() {
        assertThat(read("data:\ndata: x\ndata:\ndata: y\n\n"))
                .extracting(SseFrame::data)
                .containsExactly("\nx\n\ny");
    }

    @Test
    void a_field_without_a_colon_is_an_empty_one() {
        assertThat(read("data\ndata: x\n\n")).extracting(SseFrame::data).containsExactly("\nx");
        assertThat(read("id: 3\nid\ndata: x\n\n")).extracting(SseFrame::id).containsExactly("");
    }

    @Test
    void a_frame_that_the_stream_cuts_off_is_none() {
        assertThat(read("data: whole\n\nid: 2\ndata: half\n"))
                .extracting(SseFrame::data)
                .containsExactly("whole");
    }

    @Test
    void a_character_that_arrives_in_pieces_is_one() {
        var bytes = "data: h\u00e9\ud83c\udf33\n\n".getBytes(StandardCharsets.UTF_8);
        var byteByByte =
                new InputStream() {
                    private int at;

                    @Override
                    public int read() {
                        return at < bytes.length ? bytes[at++] & 0xff : -1;
                    }

                    @Override
                    public int read(byte[] into, int from, int length) {
                        int next = read();
                        if (next < 0) return -1;
                        into[from] = (byte) next;
                        return 1;
                    }
                };
        assertThat(read(byteByByte))
                .extracting(SseFrame::data)
                .containsExactly("h\u00e9\ud83c\udf33");
    }

    @Test
    void a_line_may_be_as_long_as_an_output() {
        var long_ = "x".repeat(4 * Sizes.OUTPUT_PART_BYTES_MAX);
        assertThat(read("data: " + long_ + "\n\n"))
                .extracting(SseFrame::data)
                .containsExactly(long_);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"x", " x", "a\nb", "\na", "a\n\nb", "a\n", "id: 9", ":x", "{\"a\":\"\\n\"}"})
    void what_is_written_is_read_as_it_was(String data) {
        var frame = new SseFrame("12", "event", data);
        assertThat(read(frame.written())).containsExactly(frame);
    }

    @Test
    void a_frame_without_an_id_leaves_the_last_one_alone() {
        assertThat(new SseFrame("", "a", "x").written()).isEqualTo("event: a\ndata: x\n\n");
    }
}
