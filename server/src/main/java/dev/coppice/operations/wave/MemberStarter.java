package dev.coppice.operations.wave;

import dev.coppice.kernel.Outcome;
import dev.coppice.kernel.Rejected;
import dev.coppice.kernel.SessionId;
import dev.coppice.operations.Scope;
import dev.coppice.operations.StartOperations;
import dev.coppice.run.Runs;
import dev.coppice.session.ParentReference;
import dev.coppice.wave.AdvanceWaves;
import dev.coppice.wire.Json;
import dev.coppice.word.SessionType;

import org.jspecify.annotations.Nullable;

import java.util.Optional;

/** Starts the members of waves as if their caller had asked for each of them. */
public final class MemberStarter implements AdvanceWaves.Starter {
    private static final int NAME_STEM_MAX = 50;
    private static final int SUFFIX = 8;

    private final Scope scope;
    private final Runs runs;
    private final StartOperations starts;

    public MemberStarter(Scope scope, Runs runs, StartOperations starts) {
        this.scope = scope;
        this.runs = runs;
        this.starts = starts;
    }

    @Override
    public Outcome<AdvanceWaves.Start> prepare(AdvanceWaves.Placed placed) {
        try {
            var parameters = Json.read(placed.wave().parameters().value());
            var values =
                    MemberText.values(
                            placed.member(),
                            parameters,
                            name -> Optional.ofNullable(result(placed.followed().get(name))));
            var kind = placed.parent() == null ? SessionType.MAIN : SessionType.WAVE;
            var request =
                    MemberText.request(
                            placed.member(), name -> free(name, placed.wave().id()), kind, values);
            return starts.prepared(request, parent(placed), placed.wave());
        } catch (Rejected e) {
            return Outcome.refused(e.refusal());
        }
    }

    private static ParentReference parent(AdvanceWaves.Placed placed) {
        var parent = placed.parent();
        return parent == null ? ParentReference.NONE : ParentReference.of(parent);
    }

    /** The text of the last result of a session; its data if there is no text. */
    private @Nullable String result(@Nullable SessionId session) {
        if (session == null) return null;
        return scope.transactions()
                .read(() -> {
                    var last = runs.latestOf(session);
                    if (last.isEmpty()) return "";
                    var result = last.get().result();
                    if (result.text() != null) return result.text();
                    return result.data() == null ? "" : result.data().value();
                });
    }

    /** Returns a free name: a member of the plan's last wave may have this one. */
    private String free(String name, String wave) {
        boolean isTaken = scope.transactions().read(() -> scope.sessions().named(name).isPresent());
        if (!isTaken) return name;
        var stem = name.substring(0, Math.min(NAME_STEM_MAX, name.length()));
        return stem + "-" + wave.substring(Math.max(0, wave.length() - SUFFIX));
    }
}
