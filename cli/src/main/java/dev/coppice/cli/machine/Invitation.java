package dev.coppice.cli.machine;

import dev.coppice.cli.engine.Args;
import dev.coppice.cli.engine.Connection;
import dev.coppice.cli.engine.Console;
import dev.coppice.cli.engine.CoordinatorPlace;
import dev.coppice.cli.engine.Exit;
import dev.coppice.cli.engine.Option;
import dev.coppice.client.CoppiceClient;
import dev.coppice.client.OwnerOnly;
import dev.coppice.client.Refused;
import dev.coppice.client.Trust;
import dev.coppice.runner.Runner;
import dev.coppice.wire.fleet.InviteCalls;
import dev.coppice.wire.fleet.InviteCalls.Joined;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;

/** Invites a runner on another machine, and joins there. */
public final class Invitation {
    private Invitation() {}

    /** Prints the one line to paste on the other machine. */
    public static Exit invite(Args args, Console console) {
        var invite = new InviteCalls.Invite(args.list("tags"), args.length("expires"));
        var asked = args.value("url");
        if (asked != null) Connection.address(asked);
        var answer = Connection.open(args, console).ask(InviteCalls.INVITE, invite);
        var made = answer.value();
        var url = args.value("url", made.url() == null ? "" : made.url());
        if (url.isEmpty()) {
            throw new Args.Invalid(
                    "the coordinator listens on 127.0.0.1 only: run 'coppice tls make', start it"
                            + " with 'coppice up --listen 0.0.0.0', or name an address of yours"
                            + " with --url");
        }
        Connection.address(url);
        if (args.has(Option.JSON)) {
            console.out().println(answer.text());
            return Exit.OK;
        }
        var fingerprint = made.fingerprint();
        console.out()
                .println(
                        "coppice runner join %s --code %s%s"
                                .formatted(
                                        url,
                                        made.code(),
                                        fingerprint == null || !url.startsWith("https:")
                                                ? ""
                                                : " --fingerprint " + fingerprint));
        console.err()
                .println(
                        "Paste this line on the other machine until %s; it works once."
                                .formatted(made.expiresAt()));
        return Exit.OK;
    }

    /**
     * Exchanges the code for a token, and writes it with the address and the certificate of the
     * authority into a directory of its own, from which a runner starts again.
     */
    public static Path join(URI url, Args args, Console console) {
        var code = args.value("code");
        if (code == null) throw new Args.Invalid("--code is missing; 'runner invite' prints it");
        var place = place(url, args, console);
        if (Files.exists(place.resolve("token"))) {
            throw new Args.Invalid(
                    ("this machine has joined %s already: 'coppice runner --data %s' starts the"
                                    + " runner; if it was revoked, delete the file 'token' there")
                            .formatted(url, place));
        }
        var fingerprint = args.value("fingerprint");
        boolean isTls = "https".equals(url.getScheme());
        if (fingerprint != null && !isTls) {
            throw new Args.Invalid("--fingerprint is for an https:// address");
        }
        try {
            OwnerOnly.directory(place);
            var certificates = place.resolve(Connection.CERTIFICATES);
            if (fingerprint != null)
                OwnerOnly.write(certificates, Connection.certificate(url, fingerprint));
            var trust = Trust.in(fingerprint == null ? null : certificates);
            var client = new CoppiceClient(url, "none").trusting(trust);
            var joined = joined(client, code);
            OwnerOnly.write(place.resolve("url"), url + "\n");
            if (!joined.tags().isEmpty()) {
                OwnerOnly.write(place.resolve("tags"), String.join(",", joined.tags()) + "\n");
            }
            // The token last: with it, the directory is complete.
            OwnerOnly.write(place.resolve("token"), joined.token() + "\n");
            return place;
        } catch (IOException e) {
            throw new UncheckedIOException("writing " + place, e);
        }
    }

    private static Joined joined(CoppiceClient client, String code) {
        var answer = client.call(InviteCalls.JOIN, new InviteCalls.Join(code, Runner.hostname()));
        if (!answer.isGood()) throw new Refused(answer.problem());
        return answer.value();
    }

    private static Path place(URI url, Args args, Console console) {
        if (args.has(Option.DATA)) return CoordinatorPlace.data(args, console).toAbsolutePath();
        var name = url.getAuthority().replaceAll("[^A-Za-z0-9.-]", "_");
        return CoordinatorPlace.data(args, console)
                .resolve("joined")
                .resolve(name)
                .toAbsolutePath();
    }

    /** The tags that the invitation asked for; null if this directory did not join with any. */
    public static @Nullable String tags(Path place) {
        var file = place.resolve("tags");
        try {
            return Files.isReadable(file) ? Files.readString(file).strip() : null;
        } catch (IOException e) {
            throw new UncheckedIOException("reading " + file, e);
        }
    }
}
