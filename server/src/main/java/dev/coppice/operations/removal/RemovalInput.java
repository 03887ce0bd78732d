package dev.coppice.operations.removal;

import dev.coppice.operation.Context;
import dev.coppice.operations.Given;
import dev.coppice.removal.Choices;
import dev.coppice.removal.RemoveTree;
import dev.coppice.wire.Length;
import dev.coppice.wire.Shape;
import dev.coppice.wire.removal.RemovalCalls;
import dev.coppice.wire.removal.SeedChoices;
import dev.coppice.word.Choice;
import dev.coppice.work.InspectedWork;

import org.jspecify.annotations.Nullable;

import java.time.Duration;

/** The choices of a removal, in Coppice's words or as the booleans of the seeds. */
final class RemovalInput {

    private static final String NO_REASON = "no reason given";

    private RemovalInput() {}

    /** Reads the choices of a plan in either form; rejects both at once. */
    static Choices planChoices(RemovalCalls.Plan in, Duration deadline) {
        if (!in.seeds().isAnySent()) return ours(in.choices(), deadline);
        var shape = Shape.of(dev.coppice.wire.removal.Choices.class);
        for (var part : shape.parts()) {
            var given = part.of(in.choices());
            var careful = part.of(dev.coppice.wire.removal.Choices.CAREFUL);
            if (given instanceof Enum<?> word && !word.equals(careful)) {
                var rule = "omitted if booleans of the original are sent";
                throw Given.bad(part.name(), Shape.word(word), rule);
            }
        }
        return seeds(in.seeds(), length(in.choices().deadline(), deadline));
    }

    static Choices ours(dev.coppice.wire.removal.Choices in, Duration deadline) {
        return new Choices(
                in.children(),
                in.running(),
                in.critical(),
                in.purge(),
                in.unreachable(),
                length(in.deadline(), deadline),
                new Choices.Preservation(in.work(), in.backup(), in.ignored(), in.directories()));
    }

    static RemoveTree.Request request(Context x, RemovalCalls.Remove in, Duration deadline) {
        var choices = ours(in.choices(), deadline);
        return new RemoveTree.Request(
                choices, x.who(), in.reason(), in.confirm(), InspectedWork.NOTHING);
    }

    static RemoveTree.Request request(Context x, RemovalCalls.Delete in, Duration deadline) {
        var choices = seeds(in.seeds(), length(in.deadline(), deadline));
        return new RemoveTree.Request(
                choices, x.who(), reason(in.seeds()), in.confirm(), InspectedWork.NOTHING);
    }

    /** The callers of the seeds know no reason; the audit says so. */
    static @Nullable String reason(SeedChoices in) {
        boolean isSilent = in.reason() == null || in.reason().isBlank();
        return isSilent && is(in.force(), false) ? NO_REASON : in.reason();
    }

    private static Duration length(@Nullable Length given, Duration absent) {
        return given == null ? absent : given.value();
    }

    /** {@code force} stops runs and overrides critical operations; it never discards work. */
    private static Choices seeds(SeedChoices in, Duration deadline) {
        boolean force = is(in.force(), false);
        boolean stay = !is(in.cleanupAgents(), true);
        boolean refuse = !is(in.cascade(), true);
        if (stay && refuse) {
            var rule = "true with cleanup_agents=false, which keeps the children";
            throw Given.bad("cascade", "false", rule);
        }
        var children =
                stay
                        ? Choice.Children.DETACH
                        : refuse ? Choice.Children.REFUSE : Choice.Children.CASCADE;
        var preservation = Choices.Preservation.ALL;
        return new Choices(
                children,
                force ? Choice.Running.STOP : Choice.Running.REFUSE,
                force ? Choice.Critical.OVERRIDE : Choice.Critical.REFUSE,
                Choice.Purge.LATER,
                Choice.Unreachable.WAIT,
                deadline,
                new Choices.Preservation(
                        is(in.preserveWork(), true) ? Choice.Work.PRESERVE : Choice.Work.DISCARD,
                        is(in.createBackup(), true) ? Choice.Backup.YES : Choice.Backup.NO,
                        preservation.ignored(),
                        preservation.directories()));
    }

    private static boolean is(@Nullable Boolean sent, boolean absent) {
        return sent == null ? absent : sent;
    }
}
