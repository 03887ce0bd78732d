package dev.coppice.observe;

import dev.coppice.journal.Bookmark;
import dev.coppice.kernel.SessionId;

import java.util.Optional;

/** Stores how far the journal was exported, and reads what an export needs. */
public interface Exports extends Bookmark {
    /** The id of the call of a tool that started this agent. Joins the current transaction. */
    Optional<String> call(SessionId agent);
}
