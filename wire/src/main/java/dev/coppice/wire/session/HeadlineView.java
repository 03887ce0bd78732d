package dev.coppice.wire.session;

import dev.coppice.wire.Descriptions;
import dev.coppice.wire.Field;

/** What a session does, or how it ended, in a line. */
public record HeadlineView(
        @Field("how it is known") Kind kind,
        @Field(value = "the line", example = "Bash: mvn test") String text,
        @Field(value = "since when this is so", example = Descriptions.TIME) String at) {
    /** The sources of a headline. */
    public enum Kind {
        /** It asks a person, and waits for the answer. */
        ASKS,
        /** It ended in a failure: why. */
        FAILED,
        /** It was stopped: why. */
        STOPPED,
        /** The result with which it finished. */
        RESULT,
        /** Its agent said it last. */
        SAYS,
        /** The tool that its agent used last. */
        DOES,
        /** It printed this line last. */
        PRINTS,
        /** It was told to do this, and has said nothing yet. */
        TOLD,
        /** It has not started. */
        WAITS
    }
}
