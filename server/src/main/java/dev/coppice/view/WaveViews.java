package dev.coppice.view;

import dev.coppice.wave.Planned;
import dev.coppice.wave.WaveMember;
import dev.coppice.wave.WavePlan;
import dev.coppice.wave.WaveReport;
import dev.coppice.wire.wave.WaveCalls.CountsView;
import dev.coppice.wire.wave.WaveCalls.MemberView;
import dev.coppice.wire.wave.WaveCalls.PhaseView;
import dev.coppice.wire.wave.WaveCalls.TimedView;
import dev.coppice.wire.wave.WaveCalls.WaveView;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;

/** Waves as callers see them. */
public final class WaveViews {
    /** The evidence for a wave. */
    public enum Evidence {
        DECLARED,
        INFERRED
    }

    private WaveViews() {}

    /** A wave with its members. */
    public static WaveView whole(WaveReport report, Evidence evidence) {
        return view(report, evidence, Views.word(report.counts().state()), members(report));
    }

    /** A wave in a list, without its members. */
    public static WaveView brief(WaveReport report, Evidence evidence) {
        return view(report, evidence, Views.word(report.counts().state()), List.of());
    }

    /** A wave that was only checked. */
    public static WaveView planned(WaveReport report) {
        return view(report, Evidence.DECLARED, "planned", members(report));
    }

    private static WaveView view(
            WaveReport report, Evidence evidence, String state, List<MemberView> members) {
        var wave = report.wave();
        var slowest = report.slowest();
        var parent = wave.parent();
        long wall = report.wall().toMillis();
        long work = report.work().toMillis();
        return new WaveView(
                wave.id(),
                wave.name(),
                parent == null ? null : parent.value(),
                Views.word(evidence),
                state,
                wave.concurrency(),
                wave.stagger().toMillis(),
                counts(report.counts()),
                rounded(report.counts().progress()),
                wave.created().toString(),
                Views.text(report.start()),
                Views.text(report.end()),
                wall,
                work,
                report.peak(),
                wall == 0 ? 0 : rounded((double) work / wall),
                rounded(report.efficiency()),
                slowest == null
                        ? null
                        : new TimedView(slowest.name(), report.length(slowest).toMillis()),
                report.criticalPath().stream()
                        .map(timed -> new TimedView(timed.name(), timed.length().toMillis()))
                        .toList(),
                report.tokens(),
                report.costMicros(),
                report.phases().stream()
                        .map(phase ->
                                new PhaseView(
                                        phase.name(),
                                        Views.word(phase.counts().state()),
                                        counts(phase.counts())))
                        .toList(),
                members);
    }

    private static double rounded(double value) {
        return Math.round(value * 1000) / 1000.0;
    }

    private static CountsView counts(WaveReport.Counts counts) {
        return new CountsView(
                counts.total(),
                counts.waiting(),
                counts.busy(),
                counts.done(),
                counts.failed(),
                counts.lost(),
                counts.cancelled());
    }

    /** The members of the plan, then those that joined without one. */
    private static List<MemberView> members(WaveReport report) {
        var sessions = new HashMap<Object, WaveMember>();
        report.members().forEach(member -> sessions.put(member.session(), member));
        var levels = new WavePlan(report.wave(), report.planned()).levels();
        var shown = new HashSet<WaveMember>();
        var views = new ArrayList<MemberView>();
        for (var plan : report.planned()) {
            var session = plan.fate().session();
            var member = session == null ? null : sessions.get(session);
            if (member != null) shown.add(member);
            views.add(planned(report, plan, member, levels));
        }
        for (var member : report.members()) {
            if (!shown.contains(member)) views.add(joined(report, member));
        }
        return views;
    }

    private static MemberView planned(
            WaveReport report,
            Planned plan,
            @Nullable WaveMember member,
            Map<String, Integer> levels) {
        int level = levels.getOrDefault(plan.name(), 0);
        if (member != null) return view(report, member, plan, level);
        boolean isRemoved = plan.fate().state() == Planned.State.STARTED;
        var session = plan.fate().session();
        return new MemberView(
                plan.name(),
                plan.phase(),
                session == null ? null : session.value(),
                null,
                isRemoved ? "removed" : Views.word(plan.fate().state()),
                plan.fate().why(),
                plan.below(),
                plan.follows(),
                level,
                null,
                null,
                0,
                0,
                0);
    }

    private static MemberView joined(WaveReport report, WaveMember member) {
        return view(report, member, null, 0);
    }

    private static MemberView view(
            WaveReport report, WaveMember member, @Nullable Planned plan, int level) {
        return new MemberView(
                plan == null ? member.name() : plan.name(),
                member.phase(),
                member.session().value(),
                member.name(),
                member.state(),
                member.reason(),
                plan == null ? null : plan.below(),
                plan == null ? List.of() : plan.follows(),
                level,
                Views.text(member.span().start()),
                Views.text(member.span().end()),
                report.length(member).toMillis(),
                member.tokens(),
                member.costMicros());
    }
}
