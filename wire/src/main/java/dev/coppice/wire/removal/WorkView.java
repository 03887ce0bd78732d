package dev.coppice.wire.removal;

import com.fasterxml.jackson.annotation.JsonAlias;
import com.fasterxml.jackson.annotation.JsonInclude;

import dev.coppice.wire.Field;

import org.jspecify.annotations.Nullable;

import java.util.List;

/**
 * A directory in which sessions worked: its unsaved work, and where that is preserved. Backups hold
 * these too, older ones with {@code kept} instead of {@code preserved}.
 */
public record WorkView(
        @Field(value = "the directory", example = "/home/me/project") String directory,
        @Field("the host it is on") String host,
        @Field("git, plain, output or processes") String kind,
        @Field("the commit that was checked out") @Nullable String commit,
        @Field("the branch that was checked out") @Nullable String branch,
        @Field("changed files that are not committed") long uncommitted,
        @Field("files that git does not know") long untracked,
        @Field("stashes") long stashed,
        @Field("commits that no remote has") long unpushed,
        @Field("files that git ignores") long ignored,
        @Field("how large it is") long bytes,
        @Field("true if anything of it is saved nowhere else") boolean unsaved,
        @Field("the sessions that worked there") List<String> sessions,
        @Field("what is under way there and must not be interrupted") List<String> busy,
        @Field("what else there is to say") List<String> notes,
        @JsonAlias("kept")
                @JsonInclude(JsonInclude.Include.NON_NULL)
                @Field("where it is preserved")
                @Nullable PreservedView preserved) {

    /** The place of preserved work: a ref of a repository, or a file. */
    public record PreservedView(
            @Field("the ref") @Nullable String ref,
            @Field("the repository of the ref") @Nullable String repository,
            @Field("the file") @Nullable String file,
            @Field("the SHA-256 of the file") @Nullable String sha256,
            @Field("the bytes of the file") long size) {}
}
