package dev.coppice.wire.fleet;

import dev.coppice.wire.Call;
import dev.coppice.wire.Descriptions;
import dev.coppice.wire.Field;
import dev.coppice.wire.Inline;
import dev.coppice.wire.Method;
import dev.coppice.wire.Paging;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.util.List;

/** Runners and accounts, for clients. */
public final class FleetCalls {
    public static final Call<Find, Page> LIST =
            Call.get("list_runners", "/runners", Find.class, Page.class, "List runners").older();
    public static final Call<Remove, Removed> REMOVE =
            Call.get(
                            "remove_runner",
                            "/runners/{runner_id}",
                            Remove.class,
                            Removed.class,
                            "Remove a runner from the list; the runs that it held are lost")
                    .by(Method.DELETE)
                    .destructive()
                    .audited()
                    .older();
    public static final Call<Call.Nothing, Accounts> ACCOUNTS =
            Call.get(
                    "list_accounts",
                    "/accounts",
                    Call.Nothing.class,
                    Accounts.class,
                    "List accounts that have reached their limits");
    public static final Call<AccountAt, Released> RELEASE =
            Call.get(
                            "release_account",
                            "/accounts/{account}",
                            AccountAt.class,
                            Released.class,
                            "Start runs on an account again, without further waiting")
                    .by(Method.DELETE)
                    .audited();

    private FleetCalls() {}

    /** Selects a page of runners. */
    public record Find(@Inline Paging page) {}

    /** The runner to remove from the list. */
    public record Remove(
            @Field("the runner") String runnerId,
            @Field(value = "true if the runner itself asks", fallback = "false") boolean self) {}

    /** The runner was removed from the list. */
    public record Removed(
            @Field("always true") boolean ok,
            @Field("the runner") String runnerId,
            @Field("what happens next") String message,
            @Field("self or external") String initiatedBy) {}

    /** A page of runners. */
    public record Page(
            @Field("the runners") List<RunnerView> runners,
            @Field(Descriptions.NEXT) @Nullable String next) {}

    /** A runner as callers see it. */
    public record RunnerView(
            @Field("the runner") String runnerId,
            @Field("when it registered") String registeredAt,
            @Field("when its last heartbeat came") String lastHeartbeat,
            @Field("its host") String hostname,
            @Field("its directory") String projectDir,
            @Field("its profile") String executorProfile,
            @Field("its executor, as it reported it") JsonNode executor,
            @Field("its tags") List<String> tags,
            @Field("true if it claims only runs that demand one of its tags")
                    boolean requireMatchingTags,
            @Field("the maximum number of concurrent runs") int capacity,
            @Field("online or stale") String status,
            @Field("seconds since its last heartbeat") double secondsSinceHeartbeat) {}

    /** The account in the path. */
    public record AccountAt(@Field("the account") String account) {}

    /** All accounts that have reached their limits. */
    public record Accounts(@Field("the accounts") List<AccountView> accounts) {}

    /** An account that has reached its limit. */
    public record AccountView(
            @Field("the account") String account,
            @Field("when its runs start again") String heldUntil,
            @Field("how many times in a row it has reached its limit") int failures,
            @Field("the message of its agent") String reason) {}

    /** The account was released. */
    public record Released(
            @Field("always true") boolean ok, @Field("the account") String account) {}
}
