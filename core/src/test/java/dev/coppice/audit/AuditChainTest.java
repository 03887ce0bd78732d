package dev.coppice.audit;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

class AuditChainTest {
    private static final Instant T = Instant.parse("2026-01-01T00:00:00Z");

    private static Act act(String what, @Nullable String detail) {
        return new Act(
                T,
                new Act.Who("ADMIN", "admin"),
                new Act.What(what, "s1", "one", null, detail),
                Act.Decision.allowed("because"),
                null,
                "after");
    }

    private static List<AuditRecord> chain(int length) {
        var records = new ArrayList<AuditRecord>();
        for (int i = 0; i < length; i++) {
            var last = records.isEmpty() ? null : records.getLast();
            records.add(AuditChain.next(last, act("act " + i, null)));
        }
        return records;
    }

    private static List<String> flaws(List<AuditRecord> records, @Nullable String head) {
        var check = new AuditChain.Check(head);
        records.forEach(check::read);
        return check.flaws().stream().map(AuditChain.Flaw::what).toList();
    }

    @Test
    void an_unchanged_chain_has_no_flaw() {
        assertThat(flaws(chain(5), null)).isEmpty();
        assertThat(flaws(List.of(), null)).isEmpty();
        assertThat(flaws(chain(5), chain(5).getLast().hash())).isEmpty();
        assertThat(flaws(chain(5), chain(3).getLast().hash())).isEmpty();
    }

    @Test
    void a_changed_record_is_named() {
        var records = chain(5);
        var third = records.get(2);
        var other = act("something else", null);
        records.set(2, new AuditRecord(3, other, third.previous(), third.hash()));
        assertThat(flaws(records, null)).containsExactly("record 3 was changed");
    }

    /** Replacing a record and its hash breaks the link from the next record. */
    @Test
    void a_replaced_record_is_detected_by_the_next_one() {
        var records = chain(5);
        records.set(2, AuditChain.next(records.get(1), act("something else", null)));
        assertThat(flaws(records, null))
                .containsExactly("record 4 does not match the hash of the record before it");
    }

    @Test
    void a_missing_record_is_named() {
        var records = chain(6);
        records.remove(1);
        records.remove(2);
        records.remove(2);
        assertThat(flaws(records, null))
                .containsExactly("record 2 is missing", "records 4 to 5 are missing");
    }

    @Test
    void reordered_records_are_detected() {
        var records = chain(4);
        Collections.swap(records, 1, 2);
        assertThat(flaws(records, null)).first().asString().contains("record 2");
    }

    @Test
    void a_missing_tail_is_detected_if_the_head_is_known() {
        var records = chain(5);
        var head = records.getLast().hash();
        assertThat(flaws(records.subList(0, 3), null)).isEmpty();
        assertThat(flaws(records.subList(0, 3), head)).singleElement().asString().contains("cut");
    }

    /** If fields ran into each other, one record could replace another. */
    @Test
    void records_whose_fields_concatenate_equally_have_different_hashes() {
        var one = AuditChain.next(null, act("ab", "c"));
        var two = AuditChain.next(null, act("a", "bc"));
        var three = AuditChain.next(null, act("ab", null));
        assertThat(List.of(one.hash(), two.hash(), three.hash())).doesNotHaveDuplicates();
    }
}
