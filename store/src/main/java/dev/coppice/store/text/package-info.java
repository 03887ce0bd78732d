/** The full-text index of events, which each database spells in its own way. */
@NullMarked
package dev.coppice.store.text;

import org.jspecify.annotations.NullMarked;
