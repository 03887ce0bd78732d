/** Tables over many sessions, with the columns of the relationship schema. */
@NullMarked
package dev.coppice.originals.report;

import org.jspecify.annotations.NullMarked;
