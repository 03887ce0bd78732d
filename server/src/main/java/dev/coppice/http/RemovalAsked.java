package dev.coppice.http;

import dev.coppice.audit.Act;
import dev.coppice.kernel.Refusal;
import dev.coppice.kernel.RequestRefusal;
import dev.coppice.removal.Choices;
import dev.coppice.removal.RemoveTree;
import dev.coppice.view.Lengths;
import dev.coppice.view.Views;
import dev.coppice.web.Exchange;
import dev.coppice.web.Route;
import dev.coppice.work.Errand;
import dev.coppice.work.WorkSeen;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;

/** What a removal is asked for with: our words, and the seed's booleans translated into them. */
final class RemovalAsked {
    private static final Duration DEADLINE_MAX = Duration.ofHours(1);

    static final List<Route.Query> CHOICES =
            List.of(
                    new Route.Query("children", "cascade, detach or refuse; cascade"),
                    new Route.Query("running", "refuse or stop; refuse"),
                    new Route.Query("critical", "refuse or override; refuse"),
                    new Route.Query("purge", "later or now; later"),
                    new Route.Query("unreachable", "wait or abandon; wait"),
                    new Route.Query("deadline", "how long stopping may take; 60s"),
                    new Route.Query("work", "preserve or discard what is unsaved; preserve"),
                    new Route.Query("backup", "yes or no; yes"),
                    new Route.Query("ignored", "list, keep or skip what git ignores; list"),
                    new Route.Query("directories", "keep those made by Coppice, or all; made"));
    static final List<Route.Query> SEEDS =
            List.of(
                    new Route.Query("cascade", "false refuses when there are children; true"),
                    new Route.Query("cleanup_agents", "false lets the children stay; true"),
                    new Route.Query("force", "true stops what runs; needs a reason"),
                    new Route.Query("create_backup", "false writes no backup; true"),
                    new Route.Query(
                            "preserve_work", "false throws unsaved work away; needs confirm; true"),
                    new Route.Query("reason", "why"));
    static final List<Route.Query> ORIGINAL =
            List.of(
                    new Route.Query("confirm", "the digest of the plan that was looked at"),
                    new Route.Query("deadline", "how long stopping may take; 60s"),
                    new Route.Query("wait", "how long to wait for the end; the deadline and 10s"),
                    new Route.Query("dry_run", "true answers with the plan and does nothing"));

    private RemovalAsked() {}

    /** In our words, or in the seed's where one of those is there. */
    static Choices either(Exchange x, Duration deadline) {
        boolean seeds =
                SEEDS.stream()
                        .map(Route.Query::name)
                        .filter(name -> !name.equals("reason"))
                        .anyMatch(name -> x.query(name) != null);
        if (!seeds) return choices(x::query, deadline);
        for (var ours : CHOICES) {
            var said = x.query(ours.name());
            if (said == null || ours.name().equals("deadline")) continue;
            throw Room.ASKED.bad(ours.name(), said, "not beside the booleans of the original");
        }
        return original(x, deadline).choices();
    }

    static RemoveTree.Request ours(
            Exchange x, Function<String, @Nullable String> said, Duration deadline) {
        return new RemoveTree.Request(
                choices(said, deadline),
                who(x),
                Room.ASKED.label("reason", said.apply("reason")),
                said.apply("confirm"),
                WorkSeen.NOTHING);
    }

    static Choices choices(Function<String, @Nullable String> said, Duration deadline) {
        var none = Choices.CAREFUL;
        return new Choices(
                word(said, "children", Choices.Children.class, none.children()),
                word(said, "running", Choices.Running.class, none.running()),
                word(said, "critical", Choices.Critical.class, none.critical()),
                word(said, "purge", Choices.Purge.class, none.purge()),
                word(said, "unreachable", Choices.Unreachable.class, none.unreachable()),
                deadline(said.apply("deadline"), deadline),
                new Choices.Keeping(
                        word(said, "work", Choices.Work.class, none.keeping().work()),
                        word(said, "backup", Choices.Backup.class, none.keeping().backup()),
                        word(said, "ignored", Errand.Ignored.class, none.keeping().ignored()),
                        word(
                                said,
                                "directories",
                                Errand.Directories.class,
                                none.keeping().directories())));
    }

    private static <E extends Enum<E>> E word(
            Function<String, @Nullable String> said, String field, Class<E> type, E absent) {
        var word = Room.ASKED.word(field, said.apply(field), type);
        return word == null ? absent : word;
    }

    private static Duration deadline(@Nullable String said, Duration absent) {
        if (said == null) return absent;
        var read = Lengths.read(said);
        if (read == null || read.compareTo(DEADLINE_MAX) > 0) {
            throw Room.ASKED.bad("deadline", said, Lengths.RULE + ", at most an hour");
        }
        return read;
    }

    /** {@code force} stops what runs and overrides what is critical; it never discards work. */
    static RemoveTree.Request original(Exchange x, Duration deadline) {
        boolean force = isSo(x, "force", false);
        boolean stay = !isSo(x, "cleanup_agents", true);
        boolean refuse = !isSo(x, "cascade", true);
        if (stay && refuse) {
            var rule = "true beside cleanup_agents=false, which lets the children stay";
            throw Room.ASKED.bad("cascade", "false", rule);
        }
        var children =
                stay
                        ? Choices.Children.DETACH
                        : refuse ? Choices.Children.REFUSE : Choices.Children.CASCADE;
        var choices =
                new Choices(
                        children,
                        force ? Choices.Running.STOP : Choices.Running.REFUSE,
                        force ? Choices.Critical.OVERRIDE : Choices.Critical.REFUSE,
                        Choices.Purge.LATER,
                        Choices.Unreachable.WAIT,
                        deadline(x.query("deadline"), deadline),
                        new Choices.Keeping(
                                isSo(x, "preserve_work", true)
                                        ? Choices.Work.PRESERVE
                                        : Choices.Work.DISCARD,
                                isSo(x, "create_backup", true)
                                        ? Choices.Backup.YES
                                        : Choices.Backup.NO,
                                Errand.Ignored.LIST,
                                Errand.Directories.MADE));
        var reason = Room.ASKED.label("reason", x.query("reason"));
        return new RemoveTree.Request(
                choices, who(x), reason, x.query("confirm"), WorkSeen.NOTHING);
    }

    /** As clients in many languages write it; anything else must not pass for a yes. */
    static boolean isSo(Exchange x, String name, boolean absent) {
        var said = x.query(name);
        if (said == null) return absent;
        return switch (said.toLowerCase(Locale.ROOT)) {
            case "true", "1", "yes" -> true;
            case "false", "0", "no" -> false;
            default -> throw Room.ASKED.bad(name, said, "true or false");
        };
    }

    /** Who asks, for the audit: an agent by its session, everyone else by the role. */
    static Act.Who who(Exchange x) {
        return new Act.Who(x.caller().key(), Views.word(x.caller().role()));
    }

    /**
     * What an agent may do can be undone, and leaves nobody behind outside of its own tree, where
     * no limit from above would hold it.
     */
    static Optional<Refusal> notForAgents(Exchange x, Choices choices) {
        if (x.caller().session() == null) return Optional.empty();
        String what = null;
        if (choices.purge() == Choices.Purge.NOW) what = "purge without a time for an undo";
        if (choices.children() == Choices.Children.DETACH) what = "detach sessions from its tree";
        return what == null ? Optional.empty() : Optional.of(new RequestRefusal.NotAllowed(what));
    }
}
