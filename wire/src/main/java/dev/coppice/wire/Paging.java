package dev.coppice.wire;

import org.jspecify.annotations.Nullable;

/** Which page of a list. */
public record Paging(
        @Field("the cursor 'next' of the page before") @Nullable String after,
        @Field(
                        value = "the most items of a page",
                        fallback = "100",
                        min = 1,
                        max = Sizes.PAGE_ITEMS_MAX)
                int limit) {
    public static final Paging FIRST = new Paging(null, 100);

    /** As large as a page may be. */
    public static Paging after(@Nullable String cursor) {
        return new Paging(cursor, Sizes.PAGE_ITEMS_MAX);
    }
}
