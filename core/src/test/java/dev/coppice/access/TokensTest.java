package dev.coppice.access;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.kernel.SessionId;

import org.junit.jupiter.api.Test;

import java.time.Instant;

class TokensTest {
    private final Tokens tokens = new Tokens("cop_secret");

    @Test
    void every_role_gets_a_token_that_says_who_it_is() {
        for (var role : Role.values()) {
            if (role == Role.AGENT) continue;
            var caller = Caller.as(role);
            assertThat(tokens.read(tokens.issue(caller)))
                    .contains(new Tokens.Presented(caller, null));
        }
    }

    @Test
    void an_agents_token_names_its_session_and_when_that_was_created() {
        var id = new SessionId("ses.with:odd-signs_");
        var birth = Instant.ofEpochMilli(1_700_000_000_123L);
        assertThat(tokens.read(tokens.issue(id, birth)))
                .contains(new Tokens.Presented(Caller.agent(id), birth));
    }

    @Test
    void a_changed_token_is_nobodys() {
        var token = tokens.issue(Caller.as(Role.VIEWER));
        assertThat(tokens.read(token.replace("viewer", "operator"))).isEmpty();
        assertThat(tokens.read(token + "x")).isEmpty();
        assertThat(tokens.read(token.substring(0, token.length() - 1))).isEmpty();
        for (var odd : new String[] {"", ".", "..", "admin..", "agent.%%.x", "viewer"}) {
            assertThat(tokens.read(odd)).as(odd).isEmpty();
        }
    }

    @Test
    void another_secret_ends_every_token() {
        assertThat(new Tokens("cop_other").read(tokens.issue(Caller.as(Role.VIEWER)))).isEmpty();
    }
}
