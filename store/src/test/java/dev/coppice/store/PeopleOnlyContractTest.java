package dev.coppice.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.access.PeopleOnly.What;
import dev.coppice.session.Limits;
import dev.coppice.store.session.SqlPeopleOnly;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.List;

/** The contract of the settings that only people may lift, on both databases. */
class PeopleOnlyContractTest {
    @ParameterizedTest
    @EnumSource(names = {"SQLITE", "POSTGRES"})
    void it_is_found_above_and_below_and_beside_it_not(Stores stores) {
        try (var opened = stores.open(_ -> {})) {
            var store = opened.store();
            var top = Given.root("top");
            var one = Given.child(top, "one");
            var below = Given.child(one, "below");
            var beside = Given.child(top, "beside");
            var people = new SqlPeopleOnly();
            store.transactions()
                    .write(() -> {
                        for (var each : new dev.coppice.session.Session[] {top, one, below, beside})
                            store.sessions().add(each);
                        people.add(one.id(), What.FREEZE);
                        people.add(one.id(), What.FREEZE);
                        assertThat(people.isOn(one.id(), What.FREEZE)).isTrue();
                        assertThat(people.isOn(below.id(), What.FREEZE)).isFalse();
                        assertThat(people.isAround(one.id(), What.BUDGET)).isFalse();
                        assertThat(people.isAround(below.id(), What.FREEZE)).isTrue();
                        assertThat(people.isAround(top.id(), What.FREEZE)).isTrue();
                        assertThat(people.isAround(beside.id(), What.FREEZE)).isFalse();
                        people.forget(top.id(), What.FREEZE);
                        assertThat(people.isOn(one.id(), What.FREEZE)).isTrue();
                        people.forgetBelow(top.id(), What.FREEZE);
                        assertThat(people.isAround(one.id(), What.FREEZE)).isFalse();
                        return 0;
                    });
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"SQLITE", "POSTGRES"})
    void a_frozen_child_takes_it_along_when_it_is_detached(Stores stores) {
        try (var opened = stores.open(_ -> {})) {
            var store = opened.store();
            var top = Given.root("top");
            var cold = Given.child(top, "cold").frozen(Given.T);
            var warm = Given.child(top, "warm");
            var people = new SqlPeopleOnly();
            store.transactions()
                    .write(() -> {
                        for (var each : List.of(top, cold, warm)) store.sessions().add(each);
                        people.add(top.id(), What.FREEZE);
                        for (var each : List.of(cold, warm)) {
                            store.sessions().detach(each.id(), Limits.NONE);
                        }
                        assertThat(people.isOn(cold.id(), What.FREEZE)).isTrue();
                        assertThat(people.isOn(warm.id(), What.FREEZE)).isFalse();
                        assertThat(people.isAround(top.id(), What.FREEZE)).isTrue();
                        return 0;
                    });
        }
    }
}
