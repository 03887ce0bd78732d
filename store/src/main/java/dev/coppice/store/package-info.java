/** Every SQL statement: one file per noun, the two dialects, transactions and migrations. */
@NullMarked
package dev.coppice.store;

import org.jspecify.annotations.NullMarked;
