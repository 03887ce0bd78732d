package dev.coppice.web;

import dev.coppice.access.Access;
import dev.coppice.access.Caller;
import dev.coppice.access.Need;
import dev.coppice.kernel.RequestRefusal;
import dev.coppice.wire.Call;
import dev.coppice.wire.Method;
import dev.coppice.wire.Shape;

import java.util.Optional;

/** Refuses calls that the caller's role may not use, and records attempted changes. */
public final class RoleCheck {
    private final Refused refused;

    public RoleCheck(Refused refused) {
        this.refused = refused;
    }

    /** Records a refused attempt to change something. */
    public interface Refused {
        void note(Caller caller, String what, RequestRefusal refusal);
    }

    public Optional<RequestRefusal> forbids(Caller caller, Call<?, ?> call, Need need) {
        if (Access.may(caller, need)) return Optional.empty();
        var who =
                caller.sender() == null
                        ? "the role '%s'".formatted(Shape.word(caller.role()))
                        : "the token of a program's hooks";
        var what = "%s %s for %s".formatted(call.method(), call.path(), who);
        var refusal = new RequestRefusal.NotAllowed(what);
        if (call.method() != Method.GET) refused.note(caller, what, refusal);
        return Optional.of(refusal);
    }
}
