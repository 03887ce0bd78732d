package dev.coppice.web;

import dev.coppice.access.Need;
import dev.coppice.request.Reply;
import dev.coppice.wire.Call;
import dev.coppice.wire.Method;

/** A call, the permission that it needs, the action that answers it, and the weight of bodies. */
public record Route(Call<?, ?> call, Need need, Action action, Weight weight) {
    /** A route whose bodies are JSON. */
    public Route(Call<?, ?> call, Need need, Action action) {
        this(call, need, action, Weight.JSON);
    }

    /** Answers a request. */
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
