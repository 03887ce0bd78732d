/** Calls that look at many sessions at once: outlines, spans, alerts, figures. */
@NullMarked
package dev.coppice.wire.look;

import org.jspecify.annotations.NullMarked;
