package dev.coppice.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.access.IssuedToken;
import dev.coppice.access.IssuedToken.Origin;
import dev.coppice.access.MakeToken;
import dev.coppice.access.Role;
import dev.coppice.access.TokenId;
import dev.coppice.kernel.Ids;
import dev.coppice.kernel.Outcome;
import dev.coppice.kernel.RequestRefusal;
import dev.coppice.store.session.SqlIssuedTokens;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Random;

/** Issued tokens and their makers, on both databases. */
class IssuedTokensTest {
    private static final Instant T = Given.T;

    private final SqlIssuedTokens issued = new SqlIssuedTokens();
    private final MakeToken making =
            new MakeToken(issued, Ids.from(new Random(1)), InstantSource.fixed(T));

    private Outcome<IssuedToken> make(@Nullable Instant until, @Nullable TokenId maker) {
        return making.make(
                new MakeToken.Wanted(Role.OPERATOR, null, null, until, Origin.CREATED, null),
                maker);
    }

    private IssuedToken made(@Nullable Instant until, @Nullable TokenId maker) {
        return switch (make(until, maker)) {
            case Outcome.Done<IssuedToken>(var token) -> token;
            case Outcome.Refused<IssuedToken>(var refusal) ->
                    throw new AssertionError(refusal.said());
        };
    }

    @ParameterizedTest
    @EnumSource(names = "MEMORY", mode = EnumSource.Mode.EXCLUDE)
    void a_token_ends_no_later_than_its_maker(Stores stores) {
        try (var opened = stores.open(_ -> {})) {
            var ends =
                    opened.store()
                            .transactions()
                            .write(() -> {
                                var first = made(T.plus(Duration.ofHours(1)), null);
                                var second = made(null, first.id());
                                return made(T.plus(Duration.ofDays(1)), second.id()).until();
                            });
            assertThat(ends).isEqualTo(T.plus(Duration.ofHours(1)));
        }
    }

    @ParameterizedTest
    @EnumSource(names = "MEMORY", mode = EnumSource.Mode.EXCLUDE)
    void a_token_that_was_revoked_makes_none(Stores stores) {
        try (var opened = stores.open(_ -> {})) {
            var refused =
                    opened.store()
                            .transactions()
                            .write(() -> {
                                var first = made(null, null);
                                issued.remove(first.id());
                                return make(null, first.id());
                            });
            assertThat(refused)
                    .isInstanceOfSatisfying(
                            Outcome.Refused.class,
                            one ->
                                    assertThat(one.refusal())
                                            .isInstanceOf(RequestRefusal.TokenUnknown.class));
        }
    }

    @ParameterizedTest
    @EnumSource(names = "MEMORY", mode = EnumSource.Mode.EXCLUDE)
    void the_store_removes_a_token_with_its_maker(Stores stores) {
        try (var opened = stores.open(_ -> {})) {
            var left =
                    opened.store()
                            .transactions()
                            .write(() -> {
                                var first = made(null, null);
                                made(null, made(null, first.id()).id());
                                var beside = made(null, null);
                                issued.remove(first.id());
                                assertThat(issued.all()).containsExactly(beside);
                                return issued.all().size();
                            });
            assertThat(left).isOne();
        }
    }
}
