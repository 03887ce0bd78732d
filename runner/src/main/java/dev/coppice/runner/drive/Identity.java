package dev.coppice.runner.drive;

import dev.coppice.client.CoppiceClient;

import java.net.URI;

/** The identity that a runner gives an agent in its environment. */
public record Identity(CoppiceClient client, String session) {
    public static Identity ofEnvironment() {
        var address = URI.create(variable("COPPICE_URL"));
        var client = new CoppiceClient(address, variable("COPPICE_TOKEN"));
        return new Identity(client, variable("AGENT_SESSION_ID"));
    }

    private static String variable(String name) {
        var value = System.getenv(name);
        if (value == null) throw new IllegalStateException(name + " is not set; a runner sets it");
        return value;
    }
}
