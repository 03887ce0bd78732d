package dev.coppice.cli.session;

import dev.coppice.cli.engine.Args;
import dev.coppice.cli.engine.Command;
import dev.coppice.cli.engine.Connection;
import dev.coppice.cli.engine.Console;
import dev.coppice.cli.engine.Exit;
import dev.coppice.cli.engine.Option;
import dev.coppice.cli.engine.Shown;
import dev.coppice.cli.engine.Table;
import dev.coppice.cli.engine.Usage;
import dev.coppice.wire.Json;
import dev.coppice.wire.Length;
import dev.coppice.wire.callback.CallbackCalls;
import dev.coppice.wire.look.ActivityCalls;
import dev.coppice.wire.look.ActivityCalls.HealthView;
import dev.coppice.wire.look.OutlineCalls.QuestionView;
import dev.coppice.wire.observe.HookCalls;
import dev.coppice.wire.session.AskCalls;
import dev.coppice.wire.session.AskCalls.AnswerWord;
import dev.coppice.wire.session.AskCalls.AskView;
import dev.coppice.wire.session.AskCalls.StandingView;
import dev.coppice.wire.session.SessionCalls;
import dev.coppice.word.Verdict;
import dev.coppice.word.WhenBusy;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Lists and answers questions of agents, once or for a subtree and a time. */
public final class AskCommand implements Command {
    private static final Length FOR_DEFAULT = Length.ofSeconds(3_600);
    private static final String HELD = "ask_";

    /** The most words of each command; an answer may have any number. */
    private static final Map<String, Integer> WORDS_MAX =
            Map.of("list", 2, "advance", 4, "standing", 2, "revoke", 2);

    @Override
    public String name() {
        return "ask";
    }

    @Override
    public Usage usage() {
        return Usage.of(
                "List and answer what agents ask you",
                List.of("list|answer|advance|standing|revoke", "[NAME|ID]", "[ANSWER…]"),
                List.of(
                        Option.of("reason", "TEXT", "the reason, which a denied program is told"),
                        Option.of("for", "TIME", "answer the same in advance for TIME, such as 1h"),
                        Option.of("below", "NAME", "with --for: for this session and all below it"),
                        Option.of("match", "PATTERN", "with --for: which uses (default: this one)"),
                        Option.flag("all", "list: also those that are settled"),
                        Option.of("limit", "N", "show at most N (default 100)"),
                        Option.of("after", "CURSOR", "show the page after this cursor")),
                """
                  coppice ask list [NAME]
                  coppice ask answer ID|NAME allow|deny|TEXT
                  coppice ask advance NAME PATTERN allow|deny|ask [--for 1h]
                  coppice ask standing [NAME]
                  coppice ask revoke ID

                A program that 'coppice connect' has connected waits with the use of a tool for
                an answer from here. A PATTERN is a tool, or a tool with what it is used for:
                Bash, 'Bash(npm test)', 'Edit(/work/shop/*)'. A star stands for any text without
                shell operators. An answer in advance holds for a session and all below it; the
                nearest session decides, and there no goes before yes.

                  coppice ask answer ask_0123456789ab allow --for 1h --below shop
                  coppice ask advance shop 'Bash(git push*)' ask --for 8h
                """);
    }

    @Override
    public Exit run(Args args, Console console) {
        var words = args.words();
        int most = WORDS_MAX.getOrDefault(words.getFirst(), Integer.MAX_VALUE);
        if (words.size() > most) {
            throw new Args.Invalid("'%s' is one word too many".formatted(words.get(most)));
        }
        var connection = Connection.open(args, console);
        switch (words.getFirst()) {
            case "list" -> list(connection, args, console);
            case "answer" -> answer(connection, args, console);
            case "advance" -> advance(connection, args, console);
            case "standing" -> standing(connection, args, console);
            default -> revoke(connection, args, console);
        }
        return Exit.OK;
    }

    private static String needed(Args args, int at, String label) {
        var word = args.wordOrNull(at);
        if (word == null) throw new Args.Invalid(label + " is missing");
        return word;
    }

    private static @Nullable String within(Connection connection, Args args) {
        var name = args.wordOrNull(1);
        return name == null ? null : connection.id(name);
    }

    private static void list(Connection connection, Args args, Console console) {
        var within = within(connection, args);
        var find = new AskCalls.Find(within, args.has("all"), args.page());
        var found = connection.ask(AskCalls.LIST, find);
        if (args.has(Option.JSON)) {
            console.out().println(found.text());
            return;
        }
        var now = InstantSource.system().instant();
        var rows = new ArrayList<List<String>>();
        for (var ask : found.value().asks()) rows.add(row(ask, now));
        if (!args.has("all")) {
            var active = new ActivityCalls.Find(within, ActivityCalls.SESSIONS_MAX, 1);
            for (var health : connection.call(ActivityCalls.LIST, active).sessions()) {
                var question = health.question();
                if (question != null && !question.answer().equals("held")) {
                    rows.add(row(health, question, now));
                }
            }
        }
        var headings = List.of("ID", "SESSION", "SINCE", "STATE", "QUESTION");
        console.out().print(Table.of(headings, rows, console));
        Table.more(found.value().next(), console);
    }

    private static List<String> row(AskView ask, Instant now) {
        var since = Duration.between(Instant.parse(ask.askedAt()), now);
        return List.of(
                ask.askId(),
                Shown.clean(ask.sessionName()),
                Shown.length(since),
                ask.state(),
                Shown.line("%s: %s".formatted(ask.toolName(), ask.subject())));
    }

    private static List<String> row(HealthView health, QuestionView question, Instant now) {
        var since = Duration.between(Instant.parse(question.askedAt()), now);
        return List.of(
                Shown.clean(health.sessionName()),
                Shown.clean(health.sessionName()),
                Shown.length(since),
                question.answer().equals("elsewhere") ? "in its program" : "open",
                Shown.line(question.text()));
    }

    private static void answer(Connection connection, Args args, Console console) {
        var id = needed(args, 1, "ID");
        needed(args, 2, "The answer");
        var text = String.join(" ", args.words().subList(2, args.words().size()));
        if (id.startsWith(HELD)) {
            held(connection, id, text, args, console);
            return;
        }
        var session = connection.id(id);
        var health = connection.call(ActivityCalls.READ, new SessionCalls.At(session)).health();
        var question = health.question();
        if (question == null) throw new Args.Invalid("'%s' asks nothing".formatted(id));
        switch (question.answer()) {
            case "held" -> held(connection, String.valueOf(question.askId()), text, args, console);
            case "message" -> {
                var how = WhenBusy.STEER;
                var wait = Length.ofSeconds(5);
                connection.call(
                        CallbackCalls.SEND, new CallbackCalls.Message(session, text, how, wait));
                console.out().println("sent to " + Shown.clean(health.sessionName()));
            }
            case "response" -> {
                respond(connection, question, text);
                console.out().println("sent to " + Shown.clean(health.sessionName()));
            }
            default ->
                    throw new Args.Invalid(
                            "'%s' can only be answered in its own program".formatted(id));
        }
    }

    private static void respond(Connection connection, QuestionView question, String text) {
        var by = "coppice ask";
        var answer =
                switch (String.valueOf(question.form())) {
                    case "permission" ->
                            Map.of("respondedBy", by, "permission", word(text) == AnswerWord.ALLOW);
                    case "choice" -> Map.of("respondedBy", by, "choice", text);
                    default -> Map.of("respondedBy", by, "response", text);
                };
        var respond = new HookCalls.Respond(question.eventId(), Json.tree(answer));
        connection.call(HookCalls.RESPOND, respond);
    }

    private static AnswerWord word(String text) {
        return word(AnswerWord.class, text);
    }

    private static <E extends Enum<E>> E word(Class<E> type, String text) {
        return Arrays.stream(type.getEnumConstants())
                .filter(word -> word.name().equals(text.toUpperCase(Locale.ROOT)))
                .findFirst()
                .orElseThrow(() ->
                        new Args.Invalid(
                                "the answer is '%s'; it must be one of %s"
                                        .formatted(
                                                text,
                                                Arrays.toString(type.getEnumConstants())
                                                        .toLowerCase(Locale.ROOT))));
    }

    private static void held(
            Connection connection, String id, String text, Args args, Console console) {
        var below = args.value("below");
        var answer =
                new AskCalls.Answer(
                        id,
                        word(text),
                        args.value("reason"),
                        args.length("for"),
                        below == null ? null : connection.id(below),
                        args.value("match"));
        var done = connection.ask(AskCalls.ANSWER, answer);
        var ask = done.value();
        console.out()
                .println(
                        args.has(Option.JSON)
                                ? done.body().toString()
                                : "%s %s of %s"
                                        .formatted(
                                                ask.state(),
                                                Shown.clean(ask.toolName()),
                                                Shown.clean(ask.sessionName())));
    }

    private static void advance(Connection connection, Args args, Console console) {
        var name = needed(args, 1, "NAME");
        var pattern = needed(args, 2, "PATTERN");
        var answer = word(Verdict.class, needed(args, 3, "The answer"));
        var length = args.length("for");
        var stand =
                new AskCalls.Stand(
                        connection.id(name),
                        pattern,
                        answer,
                        length == null ? FOR_DEFAULT : length,
                        args.value("reason"));
        var made = connection.ask(AskCalls.STAND, stand);
        console.out()
                .println(
                        args.has(Option.JSON)
                                ? made.body().toString()
                                : "%s until %s"
                                        .formatted(
                                                made.value().standingAnswerId(),
                                                made.value().until()));
    }

    private static void standing(Connection connection, Args args, Console console) {
        var find = new AskCalls.FindStanding(within(connection, args), args.page());
        var found = connection.ask(AskCalls.STANDING, find);
        if (args.has(Option.JSON)) {
            console.out().println(found.text());
            return;
        }
        var rows = found.value().standingAnswers().stream().map(AskCommand::row).toList();
        var headings = List.of("ID", "BELOW", "ANSWER", "MATCH", "STATE", "UNTIL", "USES", "BY");
        console.out().print(Table.of(headings, rows, console));
        Table.more(found.value().next(), console);
    }

    private static List<String> row(StandingView answer) {
        return List.of(
                answer.standingAnswerId(),
                Shown.clean(answer.sessionName()),
                answer.answer(),
                Shown.line(answer.match()),
                answer.state(),
                answer.until(),
                Long.toString(answer.uses()),
                Shown.clean(answer.madeBy()));
    }

    private static void revoke(Connection connection, Args args, Console console) {
        var at = new AskCalls.At(needed(args, 1, "ID"));
        var revoked = connection.ask(AskCalls.REVOKE, at);
        console.out()
                .println(
                        args.has(Option.JSON)
                                ? revoked.body().toString()
                                : "revoked " + revoked.value().standingAnswerId());
    }
}
