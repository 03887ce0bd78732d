/** The full-text index of events, in the SQL of each database. */
@NullMarked
package dev.coppice.store.text;

import org.jspecify.annotations.NullMarked;
