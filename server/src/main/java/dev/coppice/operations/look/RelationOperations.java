package dev.coppice.operations.look;

import dev.coppice.access.Need;
import dev.coppice.observe.Relations;
import dev.coppice.operations.Scope;
import dev.coppice.request.Context;
import dev.coppice.request.Operation;
import dev.coppice.session.Session;
import dev.coppice.view.Views;
import dev.coppice.wire.look.RelationCalls;
import dev.coppice.wire.look.RelationCalls.RelationView;

import java.util.List;

/** Shows how sessions are related. */
public record RelationOperations(Scope scope, Relations relations) {
    private static final int CERTAIN = 100;

    public List<Operation<?, ?>> all() {
        return List.of(
                Operation.of(
                        RelationCalls.LIST,
                        Need.READ,
                        (x, in) -> scope.showing(x, in.sessionId(), s -> of(x, s))));
    }

    private RelationCalls.Relations of(Context x, Session session) {
        return new RelationCalls.Relations(
                relations.of(session.id(), RelationCalls.RELATIONS_MAX).stream()
                        .filter(r -> scope.access().sees(x.caller(), r.other()))
                        .map(RelationOperations::view)
                        .toList());
    }

    private static RelationView view(Relations.Relation relation) {
        var evidence = relation.evidence();
        var confidence = relation.confidence();
        return new RelationView(
                relation.other().value(),
                relation.name(),
                relation.state(),
                Views.word(relation.side()),
                relation.type(),
                relation.reason(),
                relation.delegation(),
                evidence == null ? "started" : evidence,
                confidence == null ? CERTAIN : confidence,
                relation.since().toString());
    }
}
