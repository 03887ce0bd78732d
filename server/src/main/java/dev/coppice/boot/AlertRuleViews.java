package dev.coppice.boot;

import dev.coppice.alerts.AlertFile;
import dev.coppice.wire.look.AlertCalls.RuleView;
import dev.coppice.wire.look.AlertCalls.RulesView;

import java.util.List;
import java.util.Locale;

/** The rules of alerts as callers see them. */
final class AlertRuleViews {
    private AlertRuleViews() {}

    static RulesView of(AlertFile file) {
        var hours = file.quietHours();
        return new RulesView(
                file.file().toString(),
                file.fault(),
                List.copyOf(file.channels()),
                hours == null
                        ? null
                        : "%s to %s, %s".formatted(hours.from(), hours.to(), hours.zone()),
                file.rules().stream().map(AlertRuleViews::of).toList());
    }

    private static RuleView of(AlertFile.Rule rule) {
        return new RuleView(
                rule.kinds().stream().map(AlertRuleViews::word).sorted().toList(),
                rule.below(),
                rule.to(),
                word(rule.quiet()));
    }

    private static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }
}
