package dev.coppice.wire.token;

import dev.coppice.wire.Call;
import dev.coppice.wire.Field;
import dev.coppice.wire.Length;
import dev.coppice.wire.Method;
import dev.coppice.wire.Sizes;

import org.jspecify.annotations.Nullable;

import java.util.List;

/** Tokens that people create for programs and other people. */
public final class TokenCalls {
    public static final Call<Create, Created> CREATE =
            Call.post(
                            "create_token",
                            "/tokens",
                            Create.class,
                            Created.class,
                            "Create a token of a lesser role; only this answer shows it")
                    .creates()
                    .audited();
    public static final Call<Call.Nothing, Tokens> LIST =
            Call.get(
                    "list_tokens",
                    "/tokens",
                    Call.Nothing.class,
                    Tokens.class,
                    "List the tokens that were created and are valid, each with the one with"
                            + " which it was made");
    public static final Call<At, Call.Empty> REVOKE =
            Call.get(
                            "revoke_token",
                            "/tokens/{token_id}",
                            At.class,
                            Call.Empty.class,
                            "Revoke a token and all that were made with it; requests with"
                                    + " them are refused at once")
                    .by(Method.DELETE)
                    .destructive()
                    .audited();

    private TokenCalls() {}

    /** The roles that a token can have. */
    public enum TokenRole {
        OPERATOR,
        VIEWER,
        RUNNER,
        INGEST
    }

    /** A token to create. */
    public record Create(
            @Field(
                            value =
                                    "viewer reads; ingest sends events; runner claims; operator"
                                            + " does all that people do",
                            example = "viewer")
                    TokenRole role,
            @Field("confines a viewer or ingest token to this session id and all below it")
                    @Nullable String below,
            @Field(
                            value = "how long it is valid; without it, until it is revoked",
                            example = "7d",
                            min = 1,
                            max = Sizes.TOKEN_SECONDS_MAX)
                    @Nullable Length expires,
            @Field(value = "a note about its use", chars = Sizes.LABEL_CHARS_MAX)
                    @Nullable String label,
            @Field(
                            value =
                                    "the name of a program's hooks: confines an ingest token to the"
                                            + " sessions of which tokens with this name told first",
                            chars = Sizes.LABEL_CHARS_MAX)
                    @Nullable String source) {}

    /** The token, which is not stored. */
    public record Created(
            @Field("the token") String token,
            @Field("the token without its secret") TokenView view) {}

    /** The valid tokens, oldest first. */
    public record Tokens(@Field("the tokens") List<TokenView> tokens) {}

    /** The token in the path. */
    public record At(@Field("the id of the token") String tokenId) {}

    /** A token without its secret. */
    public record TokenView(
            @Field("its id, which is no secret") String tokenId,
            @Field("its role") String role,
            @Field("the session id that it is confined to") @Nullable String below,
            @Field("the name of that session") @Nullable String belowName,
            @Field("the note about its use") @Nullable String label,
            @Field("when it was created") String createdAt,
            @Field("when it expires") @Nullable String expiresAt,
            @Field("the id of the token with which it was made, and with which it ends")
                    @Nullable String madeBy,
            @Field("the name of the hooks to whose sessions it is confined")
                    @Nullable String source) {}
}
