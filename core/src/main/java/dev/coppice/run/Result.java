package dev.coppice.run;

import dev.coppice.kernel.JsonText;

import org.jspecify.annotations.Nullable;

/** The result of one run, stored with it so that no run can return an earlier run's result. */
public record Result(@Nullable String text, @Nullable JsonText data) {
    public static final Result NOTHING = new Result(null, null);

    /** True if there is no data, and no text but white space. */
    boolean isSilent() {
        return data == null && (text == null || text.isBlank());
    }

    public boolean isEmpty() {
        return text == null && data == null;
    }
}
