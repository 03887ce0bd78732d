package dev.coppice.wire;

import org.jspecify.annotations.Nullable;

/** Selects a page of a list. */
public record Paging(
        @Field("the cursor 'next' of the previous page") @Nullable String after,
        @Field(
                        value = "the maximum number of items",
                        fallback = "100",
                        min = 1,
                        max = Sizes.PAGE_ITEMS_MAX)
                int limit) {
    public static final Paging FIRST = new Paging(null, 100);

    /** The page after a cursor, of the maximum size. */
    public static Paging after(@Nullable String cursor) {
        return new Paging(cursor, Sizes.PAGE_ITEMS_MAX);
    }
}
