package dev.coppice.runner.drive;

import dev.coppice.client.CoppiceClient;
import dev.coppice.client.Trust;

import java.net.URI;
import java.nio.file.Path;

/** The identity that a runner gives an agent in its environment. */
public record Identity(CoppiceClient client, String session) {
    public static Identity ofEnvironment() {
        var address = URI.create(variable("COPPICE_URL"));
        var certificates = System.getenv("COPPICE_CA");
        var client =
                new CoppiceClient(address, variable("COPPICE_TOKEN"))
                        .trusting(Trust.in(certificates == null ? null : Path.of(certificates)));
        return new Identity(client, variable("AGENT_SESSION_ID"));
    }

    private static String variable(String name) {
        var value = System.getenv(name);
        if (value == null) throw new IllegalStateException(name + " is not set; a runner sets it");
        return value;
    }
}
