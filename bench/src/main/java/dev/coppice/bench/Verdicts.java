package dev.coppice.bench;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/** The figures of one benchmark in all of its rounds, each with its baseline and its target. */
final class Verdicts {
    private static final String HEAD =
            """
            | | Coppice | baseline | ratio | in each round | target | |
            |---|---|---|---|---|---|---|
            """;

    private final Map<String, List<Figure>> figures = new LinkedHashMap<>();

    /** A measured amount and its unit, such as {@code ms}, {@code /s} or {@code MB}. */
    record Amount(double value, String unit) {
        static Amount millis(double value) {
            return new Amount(value, " ms");
        }

        static Amount perSecond(double value) {
            return new Amount(value, "/s");
        }

        static Amount seconds(double value) {
            return new Amount(value, " s");
        }

        static Amount megabytes(double value) {
            return new Amount(value, " MB");
        }

        @Override
        public String toString() {
            return String.format(Locale.ROOT, value < 100 ? "%,.1f" : "%,.0f", value) + unit;
        }
    }

    private enum Side {
        AT_LEAST,
        AT_MOST
    }

    /** An amount of one round. Without a baseline, its target limits the amount, not a ratio. */
    private record Figure(Amount ours, @Nullable Amount baseline, Side side, double target) {
        double base() {
            return baseline == null ? 1 : baseline.value();
        }

        /** The ratio to the baseline; without one, the amount. */
        double ratio() {
            return ours.value() / base();
        }

        boolean isMet(double ratio) {
            return side == Side.AT_MOST ? ratio <= target : ratio >= target;
        }

        String wanted() {
            return (side == Side.AT_MOST ? "at most " : "at least ") + worded(target);
        }

        /** Words a ratio of this figure; without a baseline, an amount. */
        String worded(double ratio) {
            return baseline == null ? new Amount(ratio, ours.unit()).toString() : said(ratio);
        }
    }

    /** Records a figure of which more is better. */
    void atLeast(String what, Amount ours, Amount baseline, double target) {
        add(what, new Figure(ours, baseline, Side.AT_LEAST, target));
    }

    /** Records a figure of which more is better, that has a limit and no baseline. */
    void atLeast(String what, Amount ours, double limit) {
        add(what, new Figure(ours, null, Side.AT_LEAST, limit));
    }

    /** Records a figure of which less is better. */
    void atMost(String what, Amount ours, Amount baseline, double target) {
        add(what, new Figure(ours, baseline, Side.AT_MOST, target));
    }

    /** Records a figure that has a limit and no baseline. */
    void atMost(String what, Amount ours, double limit) {
        add(what, new Figure(ours, null, Side.AT_MOST, limit));
    }

    private void add(String what, Figure figure) {
        figures.computeIfAbsent(what, _ -> new ArrayList<>()).add(figure);
        System.out.printf(
                "  %s: %s%s, %s: %s%n",
                what,
                figure.ours(),
                figure.baseline() == null
                        ? ""
                        : ", baseline " + figure.baseline() + ", ratio " + said(figure.ratio()),
                figure.wanted(),
                figure.isMet(figure.ratio()) ? "met" : "MISSED");
    }

    private static String said(double ratio) {
        return String.format(Locale.ROOT, ratio < 10 ? "%.2f" : "%.1f", ratio);
    }

    static void note(String text, Object... values) {
        System.out.printf("    " + text + "%n", values);
    }

    /** True if the medians of all rounds meet their targets. */
    boolean areAllMet() {
        return figures.values().stream().allMatch(Verdicts::isMet);
    }

    private static boolean isMet(List<Figure> rounds) {
        return rounds.getFirst().isMet(median(rounds, Figure::ratio));
    }

    private static double median(List<Figure> rounds, ToDoubleFunction<Figure> of) {
        var sorted = rounds.stream().mapToDouble(of).sorted().toArray();
        return sorted[sorted.length / 2];
    }

    /** Returns the figures as a table for the page: medians, and the ratios of each round. */
    String table() {
        return HEAD
                + figures.entrySet().stream()
                        .map(e -> row(e.getKey(), e.getValue()))
                        .collect(Collectors.joining());
    }

    private static String row(String what, List<Figure> rounds) {
        var first = rounds.getFirst();
        var ours = new Amount(median(rounds, f -> f.ours().value()), first.ours().unit());
        var base = first.baseline();
        return "| %s | %s | %s | %s | %s | %s | %s |%n"
                .formatted(
                        what,
                        ours,
                        base == null ? "" : new Amount(median(rounds, Figure::base), base.unit()),
                        base == null ? "" : said(median(rounds, Figure::ratio)),
                        rounds.stream()
                                .map(f -> f.worded(f.ratio()))
                                .collect(Collectors.joining(", ")),
                        first.wanted(),
                        isMet(rounds) ? "met" : "**missed**");
    }
}
