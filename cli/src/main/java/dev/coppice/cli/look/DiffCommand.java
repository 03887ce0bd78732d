package dev.coppice.cli.look;

import dev.coppice.cli.engine.Args;
import dev.coppice.cli.engine.Command;
import dev.coppice.cli.engine.Connection;
import dev.coppice.cli.engine.Console;
import dev.coppice.cli.engine.Exit;
import dev.coppice.cli.engine.Option;
import dev.coppice.cli.engine.Shown;
import dev.coppice.cli.engine.Table;
import dev.coppice.cli.engine.Usage;
import dev.coppice.wire.look.CompareCalls;
import dev.coppice.wire.look.CompareCalls.Compared;
import dev.coppice.wire.look.CompareCalls.SideView;
import dev.coppice.wire.look.CompareCalls.StepView;

import org.jspecify.annotations.Nullable;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Shows where two sessions or trees first differ, and what each cost and changed. */
public final class DiffCommand implements Command {
    private static final int NAMES_MAX = 20;

    @Override
    public String name() {
        return "diff";
    }

    @Override
    public Usage usage() {
        return Usage.of(
                "Compare two sessions or trees",
                List.of("NAME", "OTHER"),
                List.of(Option.flag("alone", "leave out the sessions below")),
                """
                Shows the steps around the first difference (prompts, uses of tools and ends, in
                the order in which they happened), what each cost and took, and which files and
                commits each made, as far as the events tell. Agents are numbered by the order in
                which they appear in their tree. Exits with 1 if they differ.
                """);
    }

    @Override
    public Exit run(Args args, Console console) {
        var connection = Connection.open(args, console);
        var with =
                new CompareCalls.With(
                        connection.id(args.word(0)),
                        connection.id(args.word(1)),
                        args.has("alone"));
        var found = connection.ask(CompareCalls.COMPARE, with);
        var compared = found.value();
        console.out().print(args.has(Option.JSON) ? found.body() + "\n" : text(compared, console));
        return compared.same() ? Exit.OK : Exit.FAILED;
    }

    private static String text(Compared compared, Console console) {
        var a = compared.a();
        var b = compared.b();
        var rows = new ArrayList<List<String>>();
        rows.add(List.of("state", a.state(), b.state()));
        rows.add(List.of("took", took(a), took(b)));
        rows.add(List.of("sessions", Long.toString(a.sessions()), Long.toString(b.sessions())));
        rows.add(List.of("runs", Long.toString(a.runs()), Long.toString(b.runs())));
        rows.add(List.of("steps", steps(a), steps(b)));
        rows.add(List.of("tokens", Long.toString(a.tokens()), Long.toString(b.tokens())));
        rows.add(List.of("cost", dollars(a), dollars(b)));
        rows.add(List.of("files", count(a.files()), count(b.files())));
        rows.add(List.of("commits", count(a.commits()), count(b.commits())));
        var headings = List.of("", Shown.clean(a.sessionName()), Shown.clean(b.sessionName()));
        var text = new StringBuilder(Table.of(headings, rows, console));
        only(text, "Only " + headings.get(1) + " wrote", a.files(), b.files());
        only(text, "Only " + headings.get(2) + " wrote", b.files(), a.files());
        commits(text, headings.get(1), a);
        commits(text, headings.get(2), b);
        if (compared.same()) return text.append("\nBoth took the same steps.\n").toString();
        text.append("\nThey differ from step %d on.\n".formatted(compared.commonSteps() + 1));
        return text.append(table(compared, headings, console)).toString();
    }

    private static String table(Compared compared, List<String> names, Console console) {
        var rows = new ArrayList<List<String>>();
        for (var row : compared.rows()) {
            rows.add(
                    List.of((row.same() ? "  " : "≠ ") + row.step(), said(row.a()), said(row.b())));
        }
        return Table.of(List.of("STEP", names.get(1), names.get(2)), rows, console);
    }

    private static String said(@Nullable StepView step) {
        if (step == null) return "";
        return Shown.line("%s %s %s".formatted(step.agent(), step.kind(), step.text()));
    }

    private static void only(
            StringBuilder text, String title, List<String> files, List<String> others) {
        var only = files.stream().filter(file -> !others.contains(file)).toList();
        if (only.isEmpty()) return;
        text.append('\n').append(title).append(":\n");
        only.stream().limit(NAMES_MAX).forEach(file -> text.append("  " + Shown.line(file) + "\n"));
        if (only.size() > NAMES_MAX) {
            text.append("  and %d more\n".formatted(only.size() - NAMES_MAX));
        }
    }

    private static void commits(StringBuilder text, String name, SideView side) {
        if (side.commits().isEmpty()) return;
        text.append("\nCommits of ").append(name).append(":\n");
        for (var commit : side.commits()) {
            text.append("  %s %s\n".formatted(commit.commit(), Shown.line(commit.subject())));
        }
    }

    private static String steps(SideView side) {
        return side.steps() + (side.cut() ? " and more" : "");
    }

    private static String took(SideView side) {
        return Shown.length(Duration.ofMillis(side.durationMs()));
    }

    private static String dollars(SideView side) {
        return "$" + BigDecimal.valueOf(side.costMicros(), 6).stripTrailingZeros().toPlainString();
    }

    private static String count(List<?> all) {
        return Integer.toString(all.size());
    }
}
