package dev.coppice.follow;

import dev.coppice.journal.Entry;
import dev.coppice.journal.Fact;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/** An entry of the journal, and the forms of it that its readers need, each made once for all. */
public final class Item {
    private static final int BYTES_BESIDES = 1024;

    /** The entry itself, and a form for each of two faces. */
    private static final int COPIES = 3;

    private final Entry entry;
    private final Map<Form<?>, Object> made = new ConcurrentHashMap<>(2);

    /** A form of an entry that a face sends, and the function that makes it. */
    public record Form<T>(Class<T> type, Function<Entry, T> of) {}

    Item(Entry entry) {
        this.entry = entry;
    }

    public Entry entry() {
        return entry;
    }

    /** Makes a form, unless another reader has made it. */
    public <T> T as(Form<T> form) {
        return form.type().cast(made.computeIfAbsent(form, _ -> form.of().apply(entry)));
    }

    /** The approximate memory of the entry and its forms, in bytes. */
    long size() {
        return BYTES_BESIDES + COPIES * chars(entry.fact());
    }

    /** The characters of the facts that may be large; other facts are short. */
    private static long chars(Fact fact) {
        return switch (fact) {
            case Fact.Reported(_, var said) -> said.value().length();
            case Fact.RunFailed(var error) -> error.length();
            case Fact.ResultGiven(var text, var data) ->
                    (text == null ? 0L : text.length())
                            + (data == null ? 0L : data.value().length());
            default -> 0L;
        };
    }
}
