package dev.coppice.removal;

/** One thing that speaks against a removal as it was asked for. */
public record Objection(Kind kind, String code, String said, String advice) {

    /** What kind of error it becomes, in the seed's three. */
    public enum Kind {
        /** The request is not one that can be carried out. */
        VALIDATION_ERROR,
        /** Work would be lost. */
        SECURITY_ERROR,
        /** The tree is in a state in which it must not be touched. */
        OPERATION_ERROR
    }
}
