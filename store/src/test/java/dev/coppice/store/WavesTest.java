package dev.coppice.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.kernel.Cursor;
import dev.coppice.kernel.JsonText;
import dev.coppice.session.Session;
import dev.coppice.store.engine.Sql;
import dev.coppice.store.engine.Tx;
import dev.coppice.store.session.SqlWaves;
import dev.coppice.wave.Planned;
import dev.coppice.wave.Wave;
import dev.coppice.wave.WavePlan;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.time.Instant;
import java.util.List;
import java.util.function.Supplier;

/** Waves on both databases. */
class WavesTest {
    private static final Session ONE = Given.root("one");
    private static final Instant LATER = Given.T.plusSeconds(1);

    @ParameterizedTest
    @EnumSource(names = "MEMORY", mode = EnumSource.Mode.EXCLUDE)
    void a_wave_of_roots_is_forgotten_after_its_last_member(Stores stores) {
        try (var opened = stores.open(_ -> {})) {
            var store = opened.store();
            var waves = new SqlWaves();
            var in = store.transactions();
            in.write(() -> {
                store.sessions().add(ONE);
                for (var id : List.of("empty", "busy", "of-one")) {
                    waves.add(new WavePlan(Wave.of(id, id, null, Given.T), waiting(id)));
                }
                waves.add(new WavePlan(Wave.of("new", "new", null, LATER), List.of()));
                waves.add(new WavePlan(Wave.of("below", "b", ONE.id(), Given.T), List.of()));
                waves.join(ONE.id(), "of-one", null);
                return 0;
            });
            Supplier<List<String>> left =
                    () ->
                            waves.list(null, Cursor.first(10)).items().stream()
                                    .map(Wave::id)
                                    .toList();
            assertThat(in.write(() -> waves.forget(LATER, 10))).isEqualTo(1);
            assertThat(in.read(left)).containsExactly("below", "new", "of-one", "busy");
            assertThat(in.read(() -> waves.isMember(ONE.id(), "of-one"))).isTrue();
            assertThat(in.read(() -> waves.isMember(ONE.id(), "busy"))).isFalse();
            in.write(() -> Tx.call(Sql.of("delete from any_session")).update());
            assertThat(in.write(() -> waves.forget(LATER, 10))).isEqualTo(1);
            assertThat(in.read(left)).containsExactly("new", "busy");
        }
    }

    private static List<Planned> waiting(String wave) {
        var fate = new Planned.Fate(Planned.State.WAITING, null, Given.T, null);
        return wave.equals("busy")
                ? List.of(new Planned("m", null, null, List.of(), JsonText.EMPTY_OBJECT, fate))
                : List.of();
    }
}
