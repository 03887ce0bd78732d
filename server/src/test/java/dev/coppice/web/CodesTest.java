package dev.coppice.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.kernel.Refusal;
import dev.coppice.wire.Code;
import dev.coppice.wire.Shape;

import org.junit.jupiter.api.Test;

import java.util.stream.Stream;

class CodesTest {
    private static Stream<Class<?>> refusals(Class<?> type) {
        return type.isSealed()
                ? Stream.of(type.getPermittedSubclasses()).flatMap(CodesTest::refusals)
                : Stream.of(type);
    }

    @Test
    void every_refusal_has_its_code_on_the_wire() {
        assertThat(Stream.of(Code.values()).map(Shape::word))
                .containsAll(
                        refusals(Refusal.class).map(t -> Shape.snake(t.getSimpleName())).toList());
    }
}
