package dev.coppice.observe;

import dev.coppice.kernel.JsonText;

import java.time.Instant;
import java.util.List;

/** The colour themes that pages of the hook server keep. Every method joins the transaction. */
public interface Themes {
    /** Returns false if the name is taken. */
    boolean add(Theme theme);

    long count();

    /** Newest first. */
    List<Theme> published(int max);

    /** A theme as it was sent. */
    record Theme(String name, boolean isPublic, Instant at, JsonText body) {}
}
