package dev.coppice.run;

import dev.coppice.kernel.JsonText;

import org.jspecify.annotations.Nullable;

/** What one run brought. It belongs to the run, so that no run can pass on an earlier one's. */
public record Result(@Nullable String text, @Nullable JsonText data) {
    public static final Result NOTHING = new Result(null, null);

    /** Printed nothing, and that is all there is. */
    boolean isSilent() {
        return data == null && (text == null || text.isBlank());
    }

    public boolean isEmpty() {
        return text == null && data == null;
    }
}
