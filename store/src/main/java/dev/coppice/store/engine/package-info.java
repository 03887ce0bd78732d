/** Transactions, connections, the two dialects, the one writer, and the keys of sessions. */
@NullMarked
package dev.coppice.store.engine;

import org.jspecify.annotations.NullMarked;
