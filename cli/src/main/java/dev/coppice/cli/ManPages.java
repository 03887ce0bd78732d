package dev.coppice.cli;

import dev.coppice.cli.engine.Command;
import dev.coppice.cli.engine.Exit;
import dev.coppice.cli.engine.Option;
import dev.coppice.cli.engine.Usage;
import dev.coppice.wire.Release;

import java.util.LinkedHashMap;
import java.util.Map;

/** The manual pages, one for each command and one for all, written from what help prints. */
public final class ManPages {
    private ManPages() {}

    /** The pages by the names of their files, such as {@code coppice-start.1}. */
    public static Map<String, String> all() {
        var pages = new LinkedHashMap<String, String>();
        pages.put("coppice.1", overview());
        for (var command : Commands.all()) pages.put(file(command), page(command));
        return pages;
    }

    private static String file(Command command) {
        return "coppice-" + command.name() + ".1";
    }

    private static String overview() {
        var page = begun("coppice", "the control plane for trees of agent sessions");
        page.append(".SH SYNOPSIS\n.B coppice\n.I COMMAND\n[options]\n.SH COMMANDS\n");
        for (var command : Commands.all()) {
            page.append(".TP\n.BR coppice-%s (1)\n".formatted(command.name()));
            page.append(text(command.usage().summary())).append('\n');
        }
        page.append(".SH EXIT STATUS\n");
        for (var exit : Exit.values()) {
            page.append(".TP\n%d\n%s\n".formatted(exit.code(), text(exit.meaning())));
        }
        return page.toString();
    }

    private static String page(Command command) {
        var usage = command.usage();
        var page = begun("coppice-" + command.name(), usage.summary());
        page.append(".SH SYNOPSIS\n.B coppice ").append(command.name()).append('\n');
        for (var word : usage.words()) page.append(".I ").append(text(word)).append('\n');
        page.append("[options]\n");
        if (!usage.options().isEmpty()) page.append(".SH OPTIONS\n");
        usage.options().forEach(option -> page.append(option(option)));
        described(usage, page);
        return page.append(".SH SEE ALSO\n.BR coppice (1)\n").toString();
    }

    private static void described(Usage usage, StringBuilder page) {
        if (usage.more().isEmpty()) return;
        page.append(".SH DESCRIPTION\n.nf\n");
        usage.more().stripTrailing().lines().forEach(line -> page.append(text(line)).append('\n'));
        page.append(".fi\n");
    }

    private static String option(Option option) {
        var letter = option.letter() == null ? "" : "-" + option.letter() + ", ";
        var value = option.value() == null ? "" : " \\fI%s\\fR".formatted(text(option.value()));
        var named = text(letter + "--" + option.name());
        return ".TP\n\\fB%s\\fR%s\n%s\n".formatted(named, value, text(option.meaning()));
    }

    private static StringBuilder begun(String name, String summary) {
        var version = Release.ours().version();
        return new StringBuilder(".TH %s 1 \"\" \"Coppice %s\"\n".formatted(text(name), version))
                .append(".SH NAME\n%s \\- %s\n".formatted(text(name), text(summary)));
    }

    /** Text in which nothing is a request or an escape of the formatter. */
    private static String text(String plain) {
        var escaped = plain.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq");
        return escaped.startsWith(".") ? "\\&" + escaped : escaped;
    }
}
