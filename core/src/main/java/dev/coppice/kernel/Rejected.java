package dev.coppice.kernel;

/** A request that is refused while it is being read. Only the faces catch it, and answer. */
public final class Rejected extends RuntimeException {
    private static final long serialVersionUID = 1;
    private final transient Refusal refusal;

    public Rejected(Refusal refusal) {
        super(refusal.said(), null, false, false);
        this.refusal = refusal;
    }

    public Refusal refusal() {
        return refusal;
    }
}
