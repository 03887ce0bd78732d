package dev.coppice.web;

import dev.coppice.access.Need;
import dev.coppice.wire.Call;
import dev.coppice.wire.Method;

/** An operation at its address: the call it answers, what it needs, and how it replies. */
public record Route(Call<?, ?> call, Need need, Action action) {
    /** What a route does with a request. */
    public interface Action {
        Reply on(Exchange exchange);
    }

    public Method method() {
        return call.method();
    }

    public String path() {
        return call.path();
    }
}
