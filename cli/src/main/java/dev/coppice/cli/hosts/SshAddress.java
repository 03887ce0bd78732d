package dev.coppice.cli.hosts;

import dev.coppice.cli.engine.Args;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** The address of a machine for ssh. No part of it can be read as an option. */
record SshAddress(@Nullable String user, String host, @Nullable Integer port) {
    private static final Pattern SHAPE =
            Pattern.compile(
                    "ssh://(?:([A-Za-z0-9_][A-Za-z0-9._-]{0,63})@)?"
                            + "([A-Za-z0-9][A-Za-z0-9._-]{0,252}|\\[[0-9A-Fa-f:.]{2,45}])"
                            + "(?::([0-9]{1,5}))?/?");
    private static final int PORT_MAX = 65_535;

    static SshAddress of(String text) {
        var found = SHAPE.matcher(text);
        var port = found.matches() ? found.group(3) : null;
        if (!found.matches() || (port != null && Integer.parseInt(port) > PORT_MAX)) {
            throw new Args.Invalid(
                    "'%s' is not an address such as ssh://user@host:22".formatted(text));
        }
        var host = found.group(2).replace("[", "").replace("]", "");
        return new SshAddress(found.group(1), host, port == null ? null : Integer.valueOf(port));
    }

    /** The last words of a command line of ssh. */
    List<String> words() {
        var words = new ArrayList<String>();
        if (port != null) words.addAll(List.of("-p", port.toString()));
        words.addAll(List.of("--", user == null ? host : user + "@" + host));
        return words;
    }

    @Override
    public String toString() {
        var at = host.indexOf(':') < 0 ? host : "[" + host + "]";
        return "ssh://" + (user == null ? "" : user + "@") + at + (port == null ? "" : ":" + port);
    }
}
