package dev.coppice.view;

import dev.coppice.callback.About;
import dev.coppice.callback.Callback;
import dev.coppice.callback.CallbackState;
import dev.coppice.callback.Join;
import dev.coppice.wire.callback.CallbackView;
import dev.coppice.wire.callback.JoinView;

import org.jspecify.annotations.Nullable;

import java.time.Instant;

/** Callbacks and joins as the wire shows them. */
public final class CallbackViews {
    private CallbackViews() {}

    public static CallbackView callback(Callback c) {
        var child = c.about() instanceof About.ChildEnd end ? end : null;
        var join = c.about() instanceof About.JoinOver over ? over.join().value() : null;
        var said = c.about() instanceof About.Message message ? message : null;
        var from = said == null ? null : said.from();
        return new CallbackView(
                c.id().value(),
                c.to().value(),
                child != null ? "child_end" : join != null ? "join_over" : "message",
                child == null ? null : child.child().value(),
                child == null ? null : child.run().value(),
                join,
                said == null ? null : said.text(),
                from == null ? null : from.value(),
                said == null ? null : Views.word(said.whenBusy()),
                c.state().word(),
                c.state().since().toString(),
                text(c.state() instanceof CallbackState.Owed(_, var due) ? due : null),
                c.state().carrier(),
                c.state().why(),
                c.tries(),
                c.created().toString());
    }

    public static JoinView join(Join j) {
        return new JoinView(
                j.id().value(),
                j.by().value(),
                Views.word(j.until().kind()),
                j.until().wanted(),
                j.members().stream()
                        .map(m -> new JoinView.Member(m.child().value(), m.run().value()))
                        .toList(),
                j.count().ended(),
                j.count().finished(),
                j.deadline().toString(),
                Views.word(j.state().outcome()),
                text(j.state().ended()));
    }

    private static @Nullable String text(@Nullable Instant at) {
        return at == null ? null : at.toString();
    }
}
