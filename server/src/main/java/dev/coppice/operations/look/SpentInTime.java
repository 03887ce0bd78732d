package dev.coppice.operations.look;

import dev.coppice.kernel.Bounds;
import dev.coppice.kernel.Outcome;
import dev.coppice.kernel.SessionId;
import dev.coppice.operations.Given;
import dev.coppice.operations.Scope;
import dev.coppice.request.Context;
import dev.coppice.usage.ModelUses;
import dev.coppice.usage.ModelUses.Spent;
import dev.coppice.wire.Json;
import dev.coppice.wire.look.UsageCalls;
import dev.coppice.wire.look.UsageCalls.PartView;
import dev.coppice.wire.look.UsageCalls.SpentView;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Sums what sessions spent in a time. */
record SpentInTime(Scope scope, ModelUses uses, InstantSource clock) {
    private static final int ROWS_MAX = 20_000;
    private static final Duration DAY = Duration.ofDays(1);
    private static final Duration HOUR = Duration.ofHours(1);

    /** Longer times have parts of days. */
    private static final Duration HOURS_MAX = Duration.ofDays(2);

    private static final Instant FIRST = Instant.parse("1970-01-03T00:00:00Z");
    private static final Instant LAST = Instant.parse("9999-12-31T00:00:00Z");
    private static final Duration TIME_MAX = Duration.ofDays(366);

    Outcome<UsageCalls.SpendingView> read(Context x, UsageCalls.Spent in) {
        if ((in.by() == UsageCalls.By.LABEL) != (in.label() != null)) {
            throw Given.bad(
                    "label", String.valueOf(in.label()), "the name of a label, and only by label");
        }
        var until = time("until", in.until(), clock.instant());
        var from = time("since", in.since(), until.minus(DAY));
        if (from.isAfter(until) || Duration.between(from, until).compareTo(TIME_MAX) > 0) {
            throw Given.bad("since", from.toString(), "at most 366 days before 'until'");
        }
        return scope.transactions()
                .read(() -> {
                    var named = scope.visible(x, "session_id", in.sessionId());
                    var within = named == null ? x.session() : named;
                    var all = spent(within, from, until, in.label());
                    boolean isShort = Duration.between(from, until).compareTo(HOURS_MAX) <= 0;
                    var each = isShort ? HOUR : DAY;
                    var parts =
                            uses.spentOver(within, from, until, each).stream()
                                    .map(p ->
                                            new PartView(
                                                    p.from().toString(),
                                                    p.tokens(),
                                                    p.costMicros()))
                                    .toList();
                    return Outcome.done(
                            new UsageCalls.SpendingView(
                                    from.toString(),
                                    until.toString(),
                                    rows(all, of(in)),
                                    sum("", all),
                                    unpriced(all),
                                    each.toMillis(),
                                    parts,
                                    all.size() > ROWS_MAX));
                });
    }

    private List<Spent> spent(
            @Nullable SessionId within, Instant from, Instant until, @Nullable String label) {
        if (label == null) return uses.spent(within, from, until, ROWS_MAX + 1);
        var all = new ArrayList<Spent>();
        uses.labelled(within, from, until, ROWS_MAX + 1, one -> all.add(labelled(one, label)));
        return all;
    }

    /** A copy with the value of the label in place of all metadata, which may be large. */
    private static Spent labelled(Spent one, String label) {
        var metadata = Json.valueOf(one.metadata());
        var value = metadata == null ? "" : metadata.path("labels").path(label).asString("");
        return new Spent(
                one.root(),
                one.tree(),
                one.blueprint(),
                one.hostname(),
                Bounds.firstOf(value, Bounds.LABEL_CHARS_MAX),
                one.sum());
    }

    private static Instant time(String field, @Nullable String given, Instant otherwise) {
        var time = Given.time(field, given);
        if (time == null) return otherwise;
        if (time.isBefore(FIRST) || time.isAfter(LAST)) {
            throw Given.bad(field, String.valueOf(given), "a time between 1970 and 9999");
        }
        return time;
    }

    private static Function<Spent, String> of(UsageCalls.Spent in) {
        return switch (in.by()) {
            case MODEL -> spent -> spent.sum().model();
            case TREE -> Spent::tree;
            case BLUEPRINT -> spent -> orEmpty(spent.blueprint());
            case HOST -> spent -> orEmpty(spent.hostname());
            case LABEL -> Spent::metadata;
        };
    }

    private static String orEmpty(@Nullable String text) {
        return text == null ? "" : text;
    }

    private static List<SpentView> rows(List<Spent> all, Function<Spent, String> of) {
        var groups = new HashMap<String, List<Spent>>();
        for (var spent : all) {
            groups.computeIfAbsent(of.apply(spent), _ -> new ArrayList<>()).add(spent);
        }
        return groups.entrySet().stream()
                .map(SpentInTime::sum)
                .sorted(
                        Comparator.comparingLong(SpentView::costMicros)
                                .thenComparingLong(SpentView::tokens)
                                .reversed()
                                .thenComparing(SpentView::name))
                .toList();
    }

    private static SpentView sum(Map.Entry<String, List<Spent>> group) {
        return sum(group.getKey(), group.getValue());
    }

    private static SpentView sum(String name, List<Spent> all) {
        long calls = 0;
        long tokens = 0;
        long output = 0;
        long cost = 0;
        long unpriced = 0;
        for (var spent : all) {
            calls += spent.sum().calls();
            tokens += spent.sum().tokens().all();
            output += spent.sum().tokens().output();
            cost += spent.sum().costMicros();
            unpriced += spent.sum().unpriced();
        }
        return new SpentView(name, calls, tokens, output, cost, unpriced);
    }

    private static List<String> unpriced(List<Spent> all) {
        return all.stream()
                .filter(spent -> spent.sum().unpriced() > 0)
                .map(spent -> spent.sum().model())
                .distinct()
                .sorted()
                .toList();
    }
}
