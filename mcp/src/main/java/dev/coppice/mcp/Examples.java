package dev.coppice.mcp;

import dev.coppice.mcp.call.BrokenCall;
import dev.coppice.mcp.call.Call;
import dev.coppice.mcp.call.Channel.Action;
import dev.coppice.web.Exchange;

import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Tools, prompts and resources that only speak the protocol. A test adds them for the official
 * conformance suite, which sends no token, so the endpoint needs none then. The product has none.
 */
public interface Examples {
    /** Makes them; {@code changed} announces that a list has changed. */
    interface Maker {
        Examples on(Consumer<String> changed);
    }

    List<Object> list(String kind);

    Optional<Action> tool(Exchange x, Call call) throws BrokenCall;

    Optional<Action> prompt(Call call);

    Optional<Object> resource(String uri);
}
