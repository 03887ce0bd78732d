package dev.coppice.wire.token;

import dev.coppice.wire.Call;
import dev.coppice.wire.Descriptions;
import dev.coppice.wire.Field;
import dev.coppice.wire.Method;

import org.jspecify.annotations.Nullable;

/** The sign-in of a browser: a link that works once is exchanged for a token of its own. */
public final class SignInCalls {
    public static final Call<Call.Nothing, Link> CREATE_LINK =
            Call.post(
                            "create_sign_in_link",
                            "/sign-in-links",
                            Call.Nothing.class,
                            Link.class,
                            "Create a link that signs a browser in, once, with the caller's rights"
                                    + " but no more than an operator's")
                    .creates()
                    .audited();
    public static final Call<Code, SignedIn> SIGN_IN =
            Call.post(
                            "sign_in",
                            "/sign-ins",
                            Code.class,
                            SignedIn.class,
                            "Exchange the code of a sign-in link for a token")
                    .creates();
    public static final Call<Call.Nothing, Call.Empty> SIGN_OUT =
            Call.get(
                            "sign_out",
                            "/sign-ins",
                            Call.Nothing.class,
                            Call.Empty.class,
                            "Revoke the token of this request, if it was made by a sign-in, and"
                                    + " all that were made with it")
                    .by(Method.DELETE);
    public static final Call<Call.Nothing, CallerView> CALLER =
            Call.get(
                    "read_caller",
                    "/caller",
                    Call.Nothing.class,
                    CallerView.class,
                    "Show the role of the caller and what it is confined to");

    private SignInCalls() {}

    /** A link to the dashboard. */
    public record Link(
            @Field("the path with the code in its fragment, which browsers do not send")
                    String path,
            @Field("the code") String code,
            @Field(value = "when it expires", example = Descriptions.TIME) String expiresAt) {}

    /** The code of a link. */
    public record Code(
            @Field(value = "the code of the link", chars = 200, example = "sign-in.x.y")
                    String code) {}

    /** The token of a browser. */
    public record SignedIn(
            @Field("the token") String token, @Field("its rights") CallerView caller) {}

    /** The rights of a caller. */
    public record CallerView(
            @Field(value = "its role", example = "operator") String role,
            @Field("the session id that it is confined to") @Nullable String below,
            @Field("the name of that session") @Nullable String belowName,
            @Field("when its token expires") @Nullable String expiresAt,
            @Field("the version of the coordinator") String version) {}
}
