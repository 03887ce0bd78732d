package dev.coppice.web;

import dev.coppice.kernel.Outcome;
import dev.coppice.request.Context;
import dev.coppice.request.Inputs;
import dev.coppice.request.Operation;
import dev.coppice.request.Reply;
import dev.coppice.wire.Call;
import dev.coppice.wire.Json;
import dev.coppice.wire.Method;
import dev.coppice.wire.Shape;
import dev.coppice.wire.Sizes;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;

/**
 * A whole list in one answer. Older clients do not know pages, so on their paths a list is whole
 * unless its caller asks for a page. It is read page by page and written as it is read.
 */
record WholeList<I extends Record, O>(
        Operation<I, O> operation, Context context, Inputs.Source fields) {
    private static final String AFTER = "after";
    private static final String LIMIT = "limit";
    private static final String NEXT = "next";

    static boolean isWanted(Call<?, ?> call, Exchange x) {
        return call.method() == Method.GET
                && isPaged(call)
                && x.manner(call) == Problems.Manner.OLDER
                && x.query(AFTER) == null
                && x.query(LIMIT) == null;
    }

    /** True if the answer is a page: a list, and the cursor of the next one. */
    private static boolean isPaged(Call<?, ?> call) {
        if (!call.output().isRecord()) return false;
        var names = Shape.of(call.output()).names();
        return names.size() == 2 && names.getLast().equals(NEXT);
    }

    Reply reply(Exchange x) {
        return switch (page(null)) {
            case Outcome.Refused<O>(var refusal) ->
                    Problems.reply(refusal, x.manner(operation.call()), operation.call());
            case Outcome.Done<O>(var first) ->
                    new Reply.Document("application/json", out -> write(first, out));
        };
    }

    private Outcome<O> page(@Nullable String after) {
        Inputs.Source source =
                part ->
                        switch (part.name()) {
                            case AFTER -> after == null ? null : Json.tree(after);
                            case LIMIT -> Json.tree(Sizes.PAGE_ITEMS_MAX);
                            default -> fields.value(part);
                        };
        return operation.perform(context, source).outcome();
    }

    private void write(O first, OutputStream out) throws IOException {
        var parts = Shape.of(operation.call().output()).parts();
        text(out, "{\"" + parts.getFirst().name() + "\":[");
        var page = first;
        var separator = "";
        while (true) {
            for (var item : (List<?>) Objects.requireNonNull(parts.getFirst().of(page))) {
                text(out, separator);
                out.write(Json.bytes(Objects.requireNonNull(item)));
                separator = ",";
            }
            out.flush();
            var next = (@Nullable String) parts.getLast().of(page);
            if (next == null) break;
            // Fail the answer, so that its reader does not take it for the whole list.
            if (!(page(next) instanceof Outcome.Done<O>(var more))) {
                throw new IOException("the list could not be read to its end");
            }
            page = more;
        }
        text(out, "],\"next\":null}");
    }

    private static void text(OutputStream out, String text) throws IOException {
        out.write(text.getBytes(StandardCharsets.UTF_8));
    }
}
