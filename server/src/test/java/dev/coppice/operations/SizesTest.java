package dev.coppice.operations;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.kernel.Bounds;
import dev.coppice.wire.Sizes;

import org.junit.jupiter.api.Test;

import java.lang.reflect.Field;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;

/** The wire cannot see the core, so it repeats some bounds. */
class SizesTest {
    @Test
    void the_wire_has_the_bounds_of_the_core() {
        var wire = constants(Sizes.class);
        var core = constants(Bounds.class);
        core.keySet().retainAll(wire.keySet());
        assertThat(core).hasSizeGreaterThan(4);
        assertThat(wire).containsAllEntriesOf(core);
    }

    private static Map<String, Object> constants(Class<?> type) {
        return Arrays.stream(type.getFields())
                .collect(Collectors.toMap(Field::getName, SizesTest::value));
    }

    private static Object value(Field field) {
        try {
            return field.get(null);
        } catch (IllegalAccessException e) {
            throw new LinkageError(field.toString(), e);
        }
    }
}
