/** The schema: migrations, the description of the tables, and opening a database. */
@NullMarked
package dev.coppice.store.schema;

import org.jspecify.annotations.NullMarked;
