package dev.coppice.store.session;

import dev.coppice.session.Limits;
import dev.coppice.session.Limits.Kind;
import dev.coppice.store.engine.Call;
import dev.coppice.store.engine.Row;

import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** The columns that store the limits of a session: one for each kind. */
public final class LimitColumns {
    static final String LIST = String.join(", ", names());
    static final String VALUES = joined(name -> ":" + name);
    static final String ASSIGNED = joined(name -> name + " = :" + name);

    private LimitColumns() {}

    private static String name(Kind kind) {
        return kind.word() + "_max";
    }

    public static List<String> names() {
        return Arrays.stream(Kind.values()).map(LimitColumns::name).toList();
    }

    private static String joined(java.util.function.UnaryOperator<String> shape) {
        return names().stream().map(shape).collect(Collectors.joining(", "));
    }

    static Call set(Call call, Limits limits) {
        for (var kind : Kind.values()) call.setNumber(name(kind), limits.of(kind));
        return call;
    }

    static Limits read(Row row) throws SQLException {
        var limits = Limits.NONE;
        for (var kind : Kind.values()) limits = limits.with(kind, row.numberOrNull(name(kind)));
        return limits;
    }
}
