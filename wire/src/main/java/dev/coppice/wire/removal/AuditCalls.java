package dev.coppice.wire.removal;

import dev.coppice.wire.Call;
import dev.coppice.wire.Field;
import dev.coppice.wire.Inline;
import dev.coppice.wire.Paging;
import dev.coppice.wire.Said;

import org.jspecify.annotations.Nullable;

import java.util.List;

/** The audit: who did what, and whether anyone changed it. */
public final class AuditCalls {
    public static final Call<Find, Page> LIST =
            Call.get(
                    "list_audit",
                    "/audit",
                    Find.class,
                    Page.class,
                    "List who did what, newest first");
    public static final Call<Verify, Verified> VERIFY =
            Call.get(
                            "verify_audit",
                            "/audit/verify",
                            Verify.class,
                            Verified.class,
                            "Find changed, missing or reordered records")
                    .takesLong();
    public static final Call<Call.Nothing, Call.Stream> EXPORT =
            Call.get(
                    "export_audit",
                    "/audit/export",
                    Call.Nothing.class,
                    Call.Stream.class,
                    "All records as JSON lines, oldest first");

    private AuditCalls() {}

    /** Which records to list. */
    public record Find(
            @Field("only about this session, and removals that took it along")
                    @Nullable String sessionId,
            @Inline Paging page) {}

    /** What to check against. */
    public record Verify(
            @Field("a hash that was noted elsewhere; it must be there") @Nullable String head) {}

    /** A page of records. */
    public record Page(
            @Field("the records") List<RecordView> records,
            @Field(Said.NEXT) @Nullable String next) {}

    /** A record, with every field that its hash is made of. */
    public record RecordView(
            @Field("its number") long number,
            @Field("when") String at,
            @Field("who") String who,
            @Field("by what right") String right,
            @Field(value = "what was done", example = "removal.begun") String act,
            @Field("to which session") @Nullable String sessionId,
            @Field("its name") @Nullable String sessionName,
            @Field("by which removal") @Nullable String removalId,
            @Field("more about it") @Nullable String detail,
            @Field("allowed or refused") String decision,
            @Field("why") @Nullable String reason,
            @Field("a hash of the session before") @Nullable String before,
            @Field("a hash of the session after") @Nullable String after,
            @Field("the hash of the record before") String previous,
            @Field("the hash of this record") String hash) {}

    /** What the check found. */
    public record Verified(
            @Field("true if nothing is wrong") boolean ok,
            @Field("how many records there are") long records,
            @Field("the hash of the newest") String head,
            @Field("what is wrong") List<Flaw> flaws) {}

    /** Something that is wrong. */
    public record Flaw(
            @Field("the number of the record") long number,
            @Field("what is wrong with it") String what) {}
}
