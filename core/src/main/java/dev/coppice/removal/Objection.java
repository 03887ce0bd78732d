package dev.coppice.removal;

import java.util.List;

/**
 * One thing that speaks against a removal as it was asked for: the tree is in a state in which it
 * must not be touched in this way. What is named is all of what the sentence has only some of.
 */
public record Objection(String code, String said, String advice, List<String> named) {
    public Objection {
        named = List.copyOf(named);
    }

    Objection(String code, String said, String advice) {
        this(code, said, advice, List.of());
    }
}
