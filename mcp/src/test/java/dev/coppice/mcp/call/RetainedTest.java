package dev.coppice.mcp.call;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;

/** Answers kept for clients that may come back: 2,048 sessions of a role held a megabyte each. */
class RetainedTest {
    private final Retained retained = new Retained(100);
    private final List<String> dropped = new ArrayList<>();

    private void retain(String key, long size) {
        retained.add(key, key.substring(0, 1), size, () -> dropped.add(key));
    }

    @Test
    void the_oldest_answer_goes_first() {
        retain("a", 40);
        retain("b", 40);
        retain("c", 40);
        assertThat(dropped).containsExactly("a");
        retained.forget("b");
        retain("d", 50);
        assertThat(dropped).containsExactly("a");
        retain("e", 20);
        assertThat(dropped).containsExactly("a", "c");
    }

    @Test
    void a_caller_drops_its_own_answers_beyond_its_half() {
        retain("b", 40);
        retain("a1", 30);
        retain("a2", 30);
        assertThat(dropped).containsExactly("a1");
        retain("a-large", 101);
        assertThat(dropped).containsExactly("a1", "a2", "a-large");
    }
}
