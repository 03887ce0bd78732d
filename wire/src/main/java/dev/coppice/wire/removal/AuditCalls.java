package dev.coppice.wire.removal;

import dev.coppice.wire.Call;
import dev.coppice.wire.Descriptions;
import dev.coppice.wire.Field;
import dev.coppice.wire.Inline;
import dev.coppice.wire.Paging;

import org.jspecify.annotations.Nullable;

import java.util.List;

/** The audit records, and the verification of their hash chain. */
public final class AuditCalls {
    public static final Call<Find, Page> LIST =
            Call.get(
                    "list_audit",
                    "/audit",
                    Find.class,
                    Page.class,
                    "List audit records, newest first");
    public static final Call<Verify, Verified> VERIFY =
            Call.get(
                            "verify_audit",
                            "/audit/verify",
                            Verify.class,
                            Verified.class,
                            "Verify the hash chain: find changed, missing or reordered records")
                    .takesLong();
    public static final Call<Call.Nothing, Call.Stream> EXPORT =
            Call.get(
                    "export_audit",
                    "/audit/export",
                    Call.Nothing.class,
                    Call.Stream.class,
                    "Export all audit records as JSON lines, oldest first");

    private AuditCalls() {}

    /** Selects the records to list. */
    public record Find(
            @Field("only records about this session, and removals that included it")
                    @Nullable String sessionId,
            @Inline Paging page) {}

    /** The hash to verify against. */
    public record Verify(
            @Field("a hash noted earlier, which the chain must hold") @Nullable String head) {}

    /** A page of records. */
    public record Page(
            @Field("the records") List<RecordView> records,
            @Field(Descriptions.NEXT) @Nullable String next) {}

    /** A record, with every field that its hash covers. */
    public record RecordView(
            @Field("its number") long number,
            @Field("when") String at,
            @Field("the actor") String who,
            @Field("the role or right of the actor") String right,
            @Field(value = "the action", example = "removal.begun") String act,
            @Field("the session concerned") @Nullable String sessionId,
            @Field("its name") @Nullable String sessionName,
            @Field("the removal concerned") @Nullable String removalId,
            @Field("further details") @Nullable String detail,
            @Field("allowed or refused") String decision,
            @Field("the reason given") @Nullable String reason,
            @Field("a hash of the session before the action") @Nullable String before,
            @Field("a hash of the session after the action") @Nullable String after,
            @Field("the hash of the previous record") String previous,
            @Field("the hash of this record") String hash) {}

    /** The result of the verification. */
    public record Verified(
            @Field("true if there are no flaws") boolean ok,
            @Field("the number of records") long records,
            @Field("the hash of the newest record") String head,
            @Field("the flaws found") List<Flaw> flaws) {}

    /** A flaw of a record. */
    public record Flaw(
            @Field("the number of the record") long number,
            @Field("a description of the flaw") String what) {}
}
