/** Runs that sessions of other blueprints precede or follow. */
@NullMarked
package dev.coppice.run.hook;

import org.jspecify.annotations.NullMarked;
