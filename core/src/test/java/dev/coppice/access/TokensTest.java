package dev.coppice.access;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.kernel.SessionId;

import org.junit.jupiter.api.Test;

import java.time.Instant;

class TokensTest {
    private final Tokens tokens = new Tokens("cop_secret");

    @Test
    void the_token_of_a_role_names_the_role() {
        for (var role : Role.values()) {
            if (role == Role.AGENT) continue;
            var caller = Caller.as(role);
            assertThat(tokens.read(tokens.issue(caller)))
                    .contains(new Tokens.Presented(caller, null));
        }
    }

    @Test
    void the_token_of_an_agent_names_its_session_and_the_creation_time() {
        var id = new SessionId("ses.with:odd-signs_");
        var birth = Instant.ofEpochMilli(1_700_000_000_123L);
        assertThat(tokens.read(tokens.issue(id, birth)))
                .contains(new Tokens.Presented(Caller.agent(id), birth));
    }

    @Test
    void a_changed_token_is_invalid() {
        var token = tokens.issue(Caller.as(Role.VIEWER));
        assertThat(tokens.read(token.replace("viewer", "operator"))).isEmpty();
        assertThat(tokens.read(token + "x")).isEmpty();
        assertThat(tokens.read(token.substring(0, token.length() - 1))).isEmpty();
        for (var odd : new String[] {"", ".", "..", "admin..", "agent.%%.x", "viewer"}) {
            assertThat(tokens.read(odd)).as(odd).isEmpty();
        }
    }

    @Test
    void a_new_secret_invalidates_every_token() {
        assertThat(new Tokens("cop_other").read(tokens.issue(Caller.as(Role.VIEWER)))).isEmpty();
    }
}
