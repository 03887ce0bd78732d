/** Calls and frames of the journal, and of changes. */
@NullMarked
package dev.coppice.wire.event;

import org.jspecify.annotations.NullMarked;
