package dev.coppice.held;

import dev.coppice.removal.RemovalId;
import dev.coppice.removal.TreeRows;

import java.util.List;

/** No rows are in memory: who backs up and restores is tested on real databases. */
public final class HeldTreeRows implements TreeRows {
    @Override
    public Page page(Of of, Table table, At after, int max) {
        return new Page(List.of(), null);
    }

    @Override
    public void put(RemovalId into, Table table, List<Row> rows) {
        throw new UnsupportedOperationException("rows are put into databases");
    }
}
