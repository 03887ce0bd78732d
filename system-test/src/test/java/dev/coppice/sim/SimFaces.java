package dev.coppice.sim;

import dev.coppice.access.Tokens;
import dev.coppice.access.Validity;
import dev.coppice.blueprints.AllBlueprints;
import dev.coppice.blueprints.Capability;
import dev.coppice.blueprints.FileBlueprints;
import dev.coppice.blueprints.Lookup;
import dev.coppice.blueprints.McpServer;
import dev.coppice.blueprints.Resolution;
import dev.coppice.blueprints.Script;
import dev.coppice.health.Healths;
import dev.coppice.journal.EventIndex;
import dev.coppice.operations.Audited;
import dev.coppice.operations.Briefing;
import dev.coppice.operations.BudgetOperations;
import dev.coppice.operations.Directories;
import dev.coppice.operations.EventOperations;
import dev.coppice.operations.ExplainChildren;
import dev.coppice.operations.JoinWave;
import dev.coppice.operations.RunWaits;
import dev.coppice.operations.Scope;
import dev.coppice.operations.SessionOperations;
import dev.coppice.operations.StartOperations;
import dev.coppice.operations.StopOperations;
import dev.coppice.operations.Watch;
import dev.coppice.request.Operation;
import dev.coppice.request.TopicNotifier;
import dev.coppice.schema.JsonSchemas;
import dev.coppice.view.Headlines;
import dev.coppice.wave.Waves;
import dev.coppice.web.Authentication;
import dev.coppice.web.Door;
import dev.coppice.web.IdempotentRequests;
import dev.coppice.web.Rest;
import dev.coppice.web.RoleCheck;
import dev.coppice.wire.Json;
import dev.coppice.wiring.Rules;

import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/** The operations of a simulated coordinator, behind a door without a port. */
final class SimFaces {
    private final InstantSource clock;
    private final TopicNotifier notifier;
    private final FaceFault fault;
    private final Consumer<String> takesTime;
    private final FileBlueprints blueprints;
    private final JsonSchemas schemas = new JsonSchemas();
    private final SimPeopleOnly people = new SimPeopleOnly();
    private final SimTokens issued = new SimTokens();

    SimFaces(
            InstantSource clock,
            TopicNotifier notifier,
            FaceFault fault,
            Path registries,
            Consumer<String> takesTime) {
        this.clock = clock;
        this.notifier = notifier;
        this.fault = fault;
        this.takesTime = takesTime;
        this.blueprints = new FileBlueprints(registries);
    }

    SimTokens issued() {
        return issued;
    }

    Validity validity(Rules rules) {
        return new Validity(
                rules.ports.transactions(), issued, rules.ports.sessions(), rules.ports.clock());
    }

    Door door(Rules rules, Tokens tokens) {
        var transactions = rules.ports.transactions();
        var scope = new Scope(transactions, rules.store.sessions(), rules.access);
        var audited = new Audited(scope, rules.store.audit(), clock);
        var keys = new IdempotentRequests(transactions, rules.store.receipts(), clock);
        return new Door(
                new Rest(keys).routes(fault.over(audited.in(operations(rules, scope)))),
                new RoleCheck((_, _, _) -> {}),
                new Authentication(tokens, transactions, rules.store.sessions(), issued, clock));
    }

    private List<Operation<?, ?>> operations(Rules rules, Scope scope) {
        var explaining = new ExplainChildren((_, _) -> {});
        var watch = new Watch(notifier, clock);
        var budgets =
                new BudgetOperations(
                        scope, rules.ports, rules.store.budgets(), rules.spending, people);
        var all = new ArrayList<Operation<?, ?>>();
        all.addAll(
                new StartOperations(
                                scope,
                                rules.startRun,
                                briefing(rules),
                                new RunWaits(scope, rules.store.runs(), notifier, clock),
                                budgets,
                                new JoinWave(scope, unused(Waves.class), clock),
                                explaining)
                        .all());
        all.addAll(
                new SessionOperations(
                                scope,
                                rules.startSession,
                                rules.attachRoot,
                                new Directories(rules.lookAfter, "here"),
                                explaining,
                                new Headlines(unused(Healths.class)),
                                rules.ports)
                        .all());
        all.addAll(
                new StopOperations(
                                scope,
                                rules.ports,
                                rules.stop,
                                rules.stopTree,
                                rules.store.treeStops(),
                                rules.freeze,
                                people,
                                watch)
                        .all());
        all.addAll(budgets.all());
        all.addAll(
                new EventOperations(
                                scope,
                                rules.store.journal(),
                                unused(EventIndex.class),
                                rules.reportEvent)
                        .all());
        return all;
    }

    private Briefing briefing(Rules rules) {
        var transactions = rules.ports.transactions();
        return new Briefing(
                new AllBlueprints(blueprints, transactions, rules.store.runners()),
                new Resolution(new SlowLookup(takesTime)),
                schemas,
                Set.of(),
                transactions,
                rules.store.sessions(),
                rules.store.runs());
    }

    /** A port that no simulated request uses. */
    private static <T> T unused(Class<T> port) {
        return port.cast(
                Proxy.newProxyInstance(
                        port.getClassLoader(),
                        new Class<?>[] {port},
                        (_, called, _) -> {
                            throw new UnsupportedOperationException(called.getName());
                        }));
    }

    /** Capabilities on a slow disk, and nothing else. */
    private record SlowLookup(Consumer<String> takesTime) implements Lookup {
        @Override
        public Optional<Capability> capability(String name) {
            takesTime.accept("reading a capability");
            var document = Json.object();
            document.put("name", name).put("description", "Any.").put("text", "How to.");
            return Optional.of(Capability.read(document));
        }

        @Override
        public Optional<Script> script(String name) {
            return Optional.empty();
        }

        @Override
        public Optional<McpServer> mcpServer(String id) {
            return Optional.empty();
        }
    }
}
