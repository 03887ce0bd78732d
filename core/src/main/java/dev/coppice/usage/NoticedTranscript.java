package dev.coppice.usage;

import dev.coppice.kernel.SessionId;

import org.jspecify.annotations.Nullable;

/** Hears of the transcripts that agent programs write. */
public interface NoticedTranscript {
    /**
     * The program of this session told of something, perhaps of an agent, and named a transcript:
     * its own, or in Codex that of the agent.
     */
    void noticed(SessionId main, @Nullable String agent, String file);
}
