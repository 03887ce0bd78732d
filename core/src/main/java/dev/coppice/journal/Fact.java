package dev.coppice.journal;

import dev.coppice.kernel.JsonText;

import org.jspecify.annotations.Nullable;

import java.time.Instant;

/** What an entry says happened. */
public sealed interface Fact {
    record SessionCreated(SessionShot session) implements Fact {}

    record SessionUpdated(SessionShot session) implements Fact {}

    record RunStarted() implements Fact {}

    record RunCompleted(int exitCode) implements Fact {}

    record RunStopped(String reason) implements Fact {}

    record RunFailed(String error) implements Fact {}

    /** What a run brought; text, data, or both. */
    record ResultGiven(@Nullable String text, @Nullable JsonText data) implements Fact {}

    /** The stop of this session's tree has begun or ended, with so many living sessions. */
    record TreeStopMoved(String stop, String what, int sessions, String reason) implements Fact {}

    /** This session and so many of those below it were frozen or thawed. */
    record TreeFrozen(String what, int sessions) implements Fact {}

    /** So much of what this session and all below it may spend of something is spent. */
    record BudgetUsed(String what, String kind, long spent, long max) implements Fact {}

    /** This session's run has met the limit of an account: nothing is started on it for a while. */
    record AccountHeld(String account, String until, int failures) implements Fact {}

    /** A callback owed to this session: where it stands, and what it is about. */
    record CallbackMoved(
            String callback, String state, String about, int tries, @Nullable String detail)
            implements Fact {}

    /** The removal of this session: where it stands, and why it waits or was called off. */
    record RemovalMoved(String removal, String state, @Nullable String why) implements Fact {}

    /** This session was taken away, and so many runs with it. */
    record SessionDeleted(String removal, String name, long runs) implements Fact {}

    /** This session was taken away, and is back. */
    record SessionRestored(
            String removal, String name, @Nullable Long firstEvent, @Nullable Long lastEvent)
            implements Fact {}

    /** This session's parent was removed, and it has become a root of its own. */
    record SessionDetached(String removal, String from) implements Fact {}

    /** This session was a root for a while, and has its parent again. */
    record SessionAttached(String removal, String to) implements Fact {}

    /** What an agent or its tools reported, as they said it. */
    record Reported(String type, JsonText body) implements Fact {}

    /**
     * A session as it was at that moment. Metadata is left out: it can be large, and is readable.
     */
    record SessionShot(
            String id,
            String name,
            String type,
            String state,
            @Nullable String reason,
            Where where,
            When when,
            What what) {}

    record Where(
            @Nullable String parentId,
            @Nullable String parentName,
            String rootId,
            int depth,
            String path) {}

    record When(
            Instant created,
            @Nullable Instant started,
            @Nullable Instant resumed,
            @Nullable Instant ended) {}

    record What(
            @Nullable String projectDir,
            @Nullable String blueprint,
            @Nullable String sourceApp,
            @Nullable String executorSessionId,
            @Nullable String executorProfile,
            @Nullable String hostname) {}
}
