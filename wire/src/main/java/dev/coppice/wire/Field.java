package dev.coppice.wire;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Describes a field of a request or an answer: its meaning, bounds, default and example. Requests
 * are checked against it; OpenAPI, MCP schemas and the reference pages repeat it.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface Field {
    String value();

    /** The name on the wire, if it differs from the component's. */
    String name() default "";

    String example() default "";

    /**
     * The default, as a request would carry it; empty if there is none. For a nullable field it is
     * only documented and not filled in, so that the operation can tell that it was absent.
     */
    String fallback() default "";

    /** Bounds of a number, of the size of a list, or of a length of time in seconds. */
    long min() default Long.MIN_VALUE;

    long max() default Long.MAX_VALUE;

    /** The maximum length of a text in characters. It also forbids control characters. */
    int chars() default 0;

    /** The maximum size of a JSON object in bytes. */
    int bytes() default 0;

    In in() default In.USUAL;

    /** The place of a field in a request. */
    enum In {
        /** In the path if the path names it, in the query of GET and DELETE, else in the body. */
        USUAL,
        /** In the query, whatever the method. */
        QUERY,
        /** In the body, or in the query if the body does not have it. */
        EITHER,
        /** The field is the whole body. */
        WHOLE_BODY
    }
}
