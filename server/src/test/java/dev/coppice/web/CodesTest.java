package dev.coppice.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.kernel.Refusal;
import dev.coppice.operation.Refusals;
import dev.coppice.wire.Code;
import dev.coppice.wire.Shape;

import org.junit.jupiter.api.Test;

import java.util.stream.Stream;

class CodesTest {
    @Test
    void every_refusal_has_its_code_on_the_wire() {
        assertThat(Stream.of(Code.values()).map(Shape::word))
                .containsAll(Refusals.all().stream().map(Refusal::code).toList());
    }
}
