package dev.coppice.registry;

/** A fault in a document: the field, its value, and the rule that it breaks. */
public final class Fault extends RuntimeException {
    private static final long serialVersionUID = 1;
    private final String field;
    private final String value;
    private final String rule;

    public Fault(String field, String value, String rule) {
        super(field + " must be " + rule);
        this.field = field;
        this.value = value;
        this.rule = rule;
    }

    public String field() {
        return field;
    }

    public String value() {
        return value;
    }

    public String rule() {
        return rule;
    }
}
