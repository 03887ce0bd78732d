package dev.coppice.operations.removal;

import dev.coppice.operations.Given;
import dev.coppice.removal.Choices;
import dev.coppice.removal.RemoveTree;
import dev.coppice.request.Context;
import dev.coppice.wire.Length;
import dev.coppice.wire.removal.RemovalCalls;
import dev.coppice.wire.removal.RemoveByFlags;
import dev.coppice.word.Choice;
import dev.coppice.work.InspectedWork;

import org.jspecify.annotations.Nullable;

import java.time.Duration;

/** The choices of a removal, as words or as flags. */
final class RemovalInput {

    private static final String NO_REASON = "no reason given";

    private RemovalInput() {}

    private static Choices choices(dev.coppice.wire.removal.Choices in, Duration deadline) {
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
        var choices = choices(in.choices(), deadline);
        return new RemoveTree.Request(
                choices, x.who(), in.reason(), in.confirm(), InspectedWork.NOTHING);
    }

    static RemoveTree.Request request(Context x, RemovalCalls.Plan in, Duration deadline) {
        var choices = choices(in.choices(), deadline);
        return new RemoveTree.Request(choices, x.who(), in.reason(), null, InspectedWork.NOTHING);
    }

    static RemoveTree.Request request(Context x, RemoveByFlags in, Duration deadline) {
        var flags = in.flags();
        var choices = choices(flags, length(in.deadline(), deadline));
        boolean isSilent = flags.reason() == null || flags.reason().isBlank();
        // Callers that send flags may give no reason; the audit says so.
        var reason = isSilent && is(flags.force(), false) ? NO_REASON : flags.reason();
        return new RemoveTree.Request(
                choices, x.who(), reason, in.confirm(), InspectedWork.NOTHING);
    }

    private static Duration length(@Nullable Length given, Duration absent) {
        return given == null ? absent : given.value();
    }

    /** {@code force} stops runs and overrides critical operations; it never discards work. */
    private static Choices choices(RemoveByFlags.Flags in, Duration deadline) {
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
