package dev.coppice.cli.machine;

import dev.coppice.cli.engine.Args;
import dev.coppice.cli.engine.Command;
import dev.coppice.cli.engine.Console;
import dev.coppice.cli.engine.CoordinatorPlace;
import dev.coppice.cli.engine.Exit;
import dev.coppice.cli.engine.Option;
import dev.coppice.cli.engine.Usage;
import dev.coppice.client.Trust;
import dev.coppice.wire.Json;

import java.util.ArrayList;
import java.util.List;

/** Makes a private authority and a certificate, with which other machines reach the coordinator. */
public final class TlsCommand implements Command {
    @Override
    public String name() {
        return "tls";
    }

    @Override
    public Usage usage() {
        return Usage.of(
                "Make a certificate for the coordinator, for other machines",
                List.of("make"),
                List.of(
                        Option.of("name", "NAME", "a further host name or address; repeatable")
                                .repeatable(),
                        Option.of("days", "N", "how long it is valid (default 825)")),
                """
                Makes a private authority and a certificate with the names and addresses of this
                machine, in DATA/tls. Made again, it keeps the authority: runners that joined go
                on, and a running coordinator takes the new certificate by itself, but answers to
                names that are new in it after its next start.

                  coppice tls make --name build.example.org
                  coppice up --listen 0.0.0.0
                  coppice runner invite
                """);
    }

    /** The certificate as it is printed for programs. */
    private record Made(
            String certificate,
            String key,
            String fingerprint,
            List<String> names,
            String expires) {}

    @Override
    public Reads reads() {
        return Reads.NONE;
    }

    @Override
    public Exit run(Args args, Console console) {
        var names = new ArrayList<String>();
        var more = args.list("name");
        if (more != null) names.addAll(more);
        names.forEach(Names::check);
        for (var name : Names.ofThisMachine()) if (!names.contains(name)) names.add(name);
        int days = args.count("days", Authority.DAYS);
        var data = CoordinatorPlace.data(args, console);
        var authority = new Authority(data);
        var chain = authority.make(names, days);
        var made =
                new Made(
                        authority.files().certificate().toString(),
                        authority.files().key().toString(),
                        Trust.fingerprint(chain.getLast()),
                        names,
                        chain.getFirst().getNotAfter().toInstant().toString());
        if (args.has(Option.JSON)) {
            console.out().println(Json.write(made));
            return Exit.OK;
        }
        console.out()
                .print(
                        """
                        Certificate  %s
                        Key          %s
                        Authority    %s
                        Names        %s
                        Expires      %s
                        """
                                .formatted(
                                        made.certificate(),
                                        made.key(),
                                        made.fingerprint(),
                                        String.join(", ", made.names()),
                                        made.expires()));
        console.err().println("Now: coppice up --listen 0.0.0.0, and coppice runner invite");
        return Exit.OK;
    }
}
