package dev.coppice.cli.machine;

import dev.coppice.cli.engine.Args;
import dev.coppice.runner.Runner;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** The names and addresses of this machine, for a certificate. */
final class Names {
    private static final Pattern HOST =
            Pattern.compile("(\\*\\.)?[A-Za-z0-9]([A-Za-z0-9-]{0,62}[.]?)*");

    /** An address for documentation, which leads to no host. */
    private static final InetSocketAddress OUTSIDE =
            new InetSocketAddress(InetAddress.ofLiteral("203.0.113.1"), 9);

    private Names() {}

    static boolean isAddress(String name) {
        try {
            InetAddress.ofLiteral(name);
            return true;
        } catch (IllegalArgumentException _) {
            return false;
        }
    }

    /** Throws if a certificate cannot have the name. */
    static void check(String name) {
        boolean isGood = name.length() <= 253 && (isAddress(name) || HOST.matcher(name).matches());
        if (!isGood) {
            throw new Args.Invalid("'%s' is no host name and no address".formatted(name));
        }
    }

    /** IPv4 addresses but loopback come first: other machines reach those most often. */
    private static boolean isUnlikely(String address) {
        return address.contains(":") || address.startsWith("127.");
    }

    /** The address with which this machine goes outwards. Nothing is sent to find out. */
    private static Optional<String> outwards() {
        try (var socket = new DatagramSocket()) {
            socket.connect(OUTSIDE);
            return Optional.of(socket.getLocalAddress())
                    .filter(address -> !address.isAnyLocalAddress())
                    .map(InetAddress::getHostAddress);
        } catch (IOException | UncheckedIOException _) {
            // No route leads outwards.
            return Optional.empty();
        }
    }

    /** The names of this machine; first those by which others reach it. */
    static List<String> ofThisMachine() {
        try {
            var names = new LinkedHashSet<String>();
            outwards().ifPresent(names::add);
            NetworkInterface.networkInterfaces()
                    .flatMap(NetworkInterface::inetAddresses)
                    .filter(address -> !address.isLinkLocalAddress())
                    .map(address -> address.getHostAddress().replaceAll("%.*", ""))
                    .sorted(Comparator.comparing(Names::isUnlikely))
                    .forEach(names::add);
            names.add(Runner.hostname());
            names.add("localhost");
            names.removeIf(name -> !isAddress(name) && !HOST.matcher(name).matches());
            return List.copyOf(names);
        } catch (IOException e) {
            throw new UncheckedIOException("looking up the names of this machine", e);
        }
    }
}
