package dev.coppice.usage;

import dev.coppice.kernel.SessionId;

import org.jspecify.annotations.Nullable;

/** Receives the names of the transcripts that agent programs write. */
public interface NoticedTranscript {
    /**
     * An event of the session, or of an agent in its program, named a transcript: that of the
     * program, or with Codex that of the agent.
     */
    void noticed(SessionId main, @Nullable String agent, String file);
}
