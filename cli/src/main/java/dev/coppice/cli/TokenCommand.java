package dev.coppice.cli;

import dev.coppice.cli.engine.Args;
import dev.coppice.cli.engine.Command;
import dev.coppice.cli.engine.Connection;
import dev.coppice.cli.engine.Console;
import dev.coppice.cli.engine.Exit;
import dev.coppice.cli.engine.Option;
import dev.coppice.cli.engine.Shown;
import dev.coppice.cli.engine.Table;
import dev.coppice.cli.engine.Usage;
import dev.coppice.wire.Call;
import dev.coppice.wire.token.TokenCalls;
import dev.coppice.wire.token.TokenCalls.TokenRole;
import dev.coppice.wire.token.TokenCalls.TokenView;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Creates, lists and revokes tokens of lesser roles. */
final class TokenCommand implements Command {
    @Override
    public String name() {
        return "token";
    }

    @Override
    public Usage usage() {
        return Usage.of(
                "Create, list or revoke tokens for programs and other people",
                List.of("create|list|revoke", "[TOKEN]"),
                List.of(
                        Option.of("role", "ROLE", "create: operator, viewer, runner or ingest")
                                .among(TokenRole.class),
                        Option.of("below", "NAME", "create: valid for this session and all below"),
                        Option.of("expires", "TIME", "create: valid for TIME, such as 7d"),
                        Option.of("label", "TEXT", "create: a note, shown in the list")),
                """
                A viewer reads; ingest sends events and reads nothing; a runner claims runs; an
                operator does what people do, but does not claim. --below is for viewer and
                ingest. Only the answer of 'create' shows the token. TOKEN is its id in 'list'.

                A token ends with the one with which it was made, when that one expires or is
                revoked; 'list' shows it below that one. So does what a browser has made.

                Tokens of viewer, ingest and runner may also stand in an address, for programs
                that have no other setting: http://127.0.0.1:8765/t/TOKEN/… Logs and histories
                keep addresses, so give such a token an end. A token of operator may stand in
                addresses of the ports in COPPICE_PATH_PORTS.

                  coppice token create --role viewer --below plan --expires 7d
                  coppice token revoke tok_0123456789ab
                """);
    }

    @Override
    public Exit run(Args args, Console console) {
        var connection = Connection.open(args, console);
        var id = args.wordOrNull(1);
        switch (args.word(0)) {
            case "create" -> {
                if (id != null) throw new Args.Invalid("unexpected argument '%s'".formatted(id));
                create(connection, args, console);
            }
            case "list" -> list(connection, args, console);
            default -> {
                if (id == null) throw new Args.Invalid("TOKEN is missing");
                connection.call(TokenCalls.REVOKE, new TokenCalls.At(id));
                if (!args.has(Option.JSON)) console.out().println("revoked " + Shown.clean(id));
            }
        }
        return Exit.OK;
    }

    private static void create(Connection connection, Args args, Console console) {
        var role = args.choice("role", TokenRole.class);
        if (role == null) throw new Args.Invalid("--role is missing");
        var below = args.value("below");
        var create =
                new TokenCalls.Create(
                        role,
                        below == null ? null : connection.id(below),
                        args.length("expires"),
                        args.value("label"),
                        null);
        var created = connection.ask(TokenCalls.CREATE, create);
        var body = created.body().toString();
        console.out().println(args.has(Option.JSON) ? body : created.value().token());
    }

    private static void list(Connection connection, Args args, Console console) {
        var found = connection.ask(TokenCalls.LIST, new Call.Nothing());
        if (args.has(Option.JSON)) {
            console.out().println(found.text());
            return;
        }
        var rows = new ArrayList<List<String>>();
        addRows("", 0, byMaker(found.value().tokens()), rows);
        var headings = List.of("ID", "ROLE", "BELOW", "CREATED", "EXPIRES", "LABEL");
        console.out().print(Table.of(headings, rows, console));
    }

    /** Returns the tokens by the listed token that made them; under "" those without one. */
    private static Map<String, List<TokenView>> byMaker(List<TokenView> tokens) {
        var known = tokens.stream().map(TokenView::tokenId).collect(Collectors.toSet());
        var made = new HashMap<String, List<TokenView>>();
        for (var token : tokens) {
            var maker = token.madeBy();
            var above = maker != null && known.contains(maker) ? maker : "";
            made.computeIfAbsent(above, _ -> new ArrayList<>()).add(token);
        }
        return made;
    }

    private static void addRows(
            String maker, int depth, Map<String, List<TokenView>> made, List<List<String>> rows) {
        for (var token : made.getOrDefault(maker, List.of())) {
            rows.add(
                    List.of(
                            "  ".repeat(depth) + token.tokenId(),
                            token.role(),
                            Shown.clean(token.belowName()),
                            token.createdAt(),
                            Shown.clean(token.expiresAt()),
                            Shown.clean(token.label())));
            addRows(token.tokenId(), depth + 1, made, rows);
        }
    }
}
