package dev.coppice.wire.fleet;

import dev.coppice.wire.Call;
import dev.coppice.wire.Descriptions;
import dev.coppice.wire.Field;
import dev.coppice.wire.Length;

import org.jspecify.annotations.Nullable;

import java.util.List;

/** Invitations, with which runners on other machines join. */
public final class InviteCalls {
    public static final Call<Invite, Invited> INVITE =
            Call.post(
                            "invite_runner",
                            "/runner-invites",
                            Invite.class,
                            Invited.class,
                            "Create a code with which one runner on another machine joins, once;"
                                    + " only an admin may")
                    .creates()
                    .audited();
    public static final Call<Join, Joined> JOIN =
            Call.post(
                            "join_runner",
                            "/runner-joins",
                            Join.class,
                            Joined.class,
                            "Exchange the code of an invitation for the token of one runner")
                    .creates();

    private InviteCalls() {}

    /** The tags that the runner is to offer, and the length for which the code is valid. */
    public record Invite(
            @Field(value = "the tags that the runner is to offer", max = 100, chars = 100)
                    @Nullable List<String> tags,
            @Field(value = "how long the code is valid; 1h if absent, at most 7d", example = "1h")
                    @Nullable Length expires) {}

    /** The code of an invitation, and where to go with it. */
    public record Invited(
            @Field("the code") String code,
            @Field(value = "when it expires", example = Descriptions.TIME) String expiresAt,
            @Field("the address of the coordinator for other machines; null if it has none")
                    @Nullable String url,
            @Field("the fingerprint of its authority; null if it has none of its own")
                    @Nullable String fingerprint) {}

    /** The code, and the host that joins. */
    public record Join(
            @Field(value = "the code of the invitation", chars = 200, example = "invite.x.y")
                    String code,
            @Field(value = "the host of the runner", chars = 253, example = "build-7")
                    String hostname) {}

    /** The token of the runner. */
    public record Joined(
            @Field("the token, which only this answer shows") String token,
            @Field("its id, by which it can be revoked") String tokenId,
            @Field("the tags that the runner is to offer") List<String> tags) {}
}
