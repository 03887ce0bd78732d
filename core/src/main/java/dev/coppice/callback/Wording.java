package dev.coppice.callback;

import dev.coppice.kernel.RunId;
import dev.coppice.kernel.SessionId;
import dev.coppice.run.Run;
import dev.coppice.run.RunState;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The text that wakes a session. The text of a child stands inside a tag, which it can neither
 * close nor imitate. Text that is too long is cut, with a pointer to the rest.
 */
final class Wording {
    /** Limit of one result. {@link #ALL_CHARS_MAX} is the limit of one prompt. */
    static final int RESULT_CHARS_MAX = 50_000;

    private static final int ALL_CHARS_MAX = 400_000;
    private static final int LEAST_CHARS = 200;
    private static final String ON_ONE =
            "Please continue with the orchestration based on this result.";
    private static final String ON_SEVERAL =
            "Please continue with the orchestration based on these results.";
    private static final String ON_FAILURE =
            "Please handle this failure and continue with the orchestration.";
    private static final Pattern TAG = Pattern.compile("(?i)<(?=\\s*/?\\s*agent-callback)");
    private static final Pattern HEADING = Pattern.compile("(?m)^(?=\\s*#{1,6} (Child|Still))");

    private final Prompting prompting;

    Wording(Prompting prompting) {
        this.prompting = prompting;
    }

    /** A child and the run that ended. {@code again} is set if an earlier try did not finish. */
    record Child(SessionId session, @Nullable Run run, @Nullable Again again) {
        boolean finished() {
            return run != null && run.state() instanceof RunState.Finished;
        }
    }

    record Again(CallbackId callback, int attempt) {}

    /** A join that has ended, with its members' present state. */
    record Together(Join join, List<Child> members, @Nullable Again again) {}

    String children(List<Child> children) {
        return children.size() == 1 ? one(children.getFirst()) : several(children);
    }

    private String one(Child child) {
        return """
        <agent-callback session="%s" status="%s"%s>
        ## %s

        %s
        </agent-callback>

        %s\
        """
                .formatted(
                        child.session(),
                        status(child),
                        attributes(child.again()),
                        child.finished() ? "Child Result" : "Error",
                        content(child, RESULT_CHARS_MAX),
                        child.finished() ? ON_ONE : ON_FAILURE);
    }

    private static String attributes(@Nullable Again again) {
        return again == null
                ? ""
                : " callback=\"%s\" attempt=\"%d\"".formatted(again.callback(), again.attempt());
    }

    /** A message. {@code again} is set if an earlier try did not finish. */
    static String said(String text, @Nullable Again again) {
        return again == null
                ? text
                : "(sent again: callback %s, attempt %d)%n%s"
                        .formatted(again.callback(), again.attempt(), text);
    }

    private String several(List<Child> children) {
        return "<agent-callback type=\"aggregated\" count=\"%d\">\n%s\n</agent-callback>\n\n%s"
                .formatted(children.size(), items(children), ON_SEVERAL);
    }

    String together(Together together) {
        var join = together.join();
        var ended = new ArrayList<Child>();
        var under = new ArrayList<String>();
        for (var member : together.members()) {
            var run = member.run();
            if (run == null || run.state() instanceof RunState.Ended) ended.add(member);
            else under.add(member.session().value());
        }
        var blocks = new ArrayList<String>();
        if (!ended.isEmpty()) blocks.add(items(ended));
        if (!under.isEmpty()) blocks.add("### Still under way: " + String.join(", ", under));
        return """
        <agent-callback type="join" join="%s" until="%s" outcome="%s" count="%d"%s>
        %s
        </agent-callback>

        %s\
        """
                .formatted(
                        join.id(),
                        word(join.until().kind()),
                        word(join.state().outcome()),
                        ended.size(),
                        attributes(together.again()),
                        String.join("\n\n---\n\n", blocks),
                        ON_SEVERAL);
    }

    static String removed(SessionId child, String why) {
        return """
        <agent-callback session="%s" status="failed">
        ## Error

        Removed: %s
        </agent-callback>

        %s\
        """
                .formatted(child, harmless(why), ON_FAILURE);
    }

    static String restored(SessionId child) {
        return """
        <agent-callback session="%s" status="restored">
        ## Restored

        This child was removed, and is back as it was.
        </agent-callback>\
        """
                .formatted(child);
    }

    private static String word(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }

    private String items(List<Child> children) {
        int each = Math.clamp(ALL_CHARS_MAX / children.size(), LEAST_CHARS, RESULT_CHARS_MAX);
        return children.stream()
                .map(child ->
                        "### Child: %s (status: %s%s)\n\n%s"
                                .formatted(
                                        child.session(),
                                        status(child),
                                        again(child),
                                        content(child, each)))
                .collect(Collectors.joining("\n\n---\n\n"));
    }

    private static String again(Child child) {
        var again = child.again();
        return again == null
                ? ""
                : ", callback: %s, attempt: %d".formatted(again.callback(), again.attempt());
    }

    private static String status(Child child) {
        return child.finished() ? "completed" : "failed";
    }

    private String content(Child child, int charsMax) {
        var run = child.run();
        if (run == null) return "The run was deleted, and its result with it.";
        return harmless(cut(said(run), run.id(), charsMax));
    }

    /** A failure is reported by its error alone; other ends are named before the reason. */
    private String said(Run run) {
        return switch (run.state()) {
            case RunState.Finished _ -> result(run);
            case RunState.Failed(_, var reason, _) -> reason;
            case RunState.Stopped(_, var reason, _) -> "Stopped: " + reason;
            case RunState.TimedOut(_, var reason, _) -> "Timed out: " + reason;
            case RunState.Lost(_, var reason, _) -> "Lost: " + reason;
            case RunState.Queued _,
                    RunState.Hooked _,
                    RunState.Claimed _,
                    RunState.Running _,
                    RunState.Stopping _ ->
                    "(Still under way)";
        };
    }

    private String result(Run run) {
        var data = run.result().data();
        var text = run.result().text();
        if (data != null) return prompting.pretty(data);
        return text == null || text.isBlank() ? "(No result available)" : text.stripTrailing();
    }

    private static String cut(String text, RunId run, int charsMax) {
        if (text.length() <= charsMax) return text;
        int end = Character.isHighSurrogate(text.charAt(charsMax - 1)) ? charsMax - 1 : charsMax;
        return "%s\n[cut here: %d of %d characters; the full text is the result of run %s]"
                .formatted(text.substring(0, end), end, text.length(), run);
    }

    private static String harmless(String text) {
        var tagless = TAG.matcher(text).replaceAll("&lt;");
        return HEADING.matcher(tagless).replaceAll("\\\\");
    }
}
