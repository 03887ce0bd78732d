package dev.coppice.web;

import dev.coppice.kernel.Rejected;
import dev.coppice.kernel.RequestRefusal;

import org.eclipse.jetty.http.HttpException;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.util.Fields;

/** Reads the query of a request, and rejects malformed escapes. */
final class Queries {
    private static final int SHOWN_CHARS_MAX = 200;

    private Queries() {}

    static Fields of(Request request) {
        try {
            return Request.extractQueryParameters(request);
        } catch (RuntimeException e) {
            if (e instanceof HttpException || e instanceof IllegalArgumentException) {
                throw malformed(request);
            }
            throw e;
        }
    }

    /** Shows only the names: a value may be a token, which must not be repeated in a message. */
    private static Rejected malformed(Request request) {
        var query = String.valueOf(request.getHttpURI().getQuery());
        var names = query.replaceAll("=[^&]*", "");
        var shown = names.substring(0, Math.min(names.length(), SHOWN_CHARS_MAX));
        return new Rejected(new RequestRefusal.BadValue("query", shown, "percent-encoded UTF-8"));
    }
}
