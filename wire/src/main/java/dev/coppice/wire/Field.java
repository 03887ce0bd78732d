package dev.coppice.wire;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * What is known of one field of a request or an answer: its meaning, bounds, default and example.
 * Requests are checked against it; OpenAPI, MCP schemas and the reference pages repeat it.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface Field {
    String value();

    /** Its name on the wire, where it is not that of the component. */
    String name() default "";

    String example() default "";

    /**
     * The value of an absent field, as it would be sent; empty if there is none. For a field that
     * may be null it is documented only: the operation must be able to tell that it was absent.
     */
    String fallback() default "";

    /** Bounds of a number, or of a length of time in seconds. */
    long min() default Long.MIN_VALUE;

    long max() default Long.MAX_VALUE;

    /** The most characters of a text, which then may hold no control characters. */
    int chars() default 0;

    /** The most bytes of a JSON object. */
    int bytes() default 0;

    In in() default In.USUAL;

    /** Where a request carries a field. */
    enum In {
        /** In the path if it is named there, in the query of GET and DELETE, else in the body. */
        USUAL,
        /** In the query, whatever the method. */
        QUERY,
        /** In the body, or in the query where the body has none. */
        EITHER,
        /** The field is the whole body. */
        WHOLE_BODY
    }
}
