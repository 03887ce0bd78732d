/** Runs, runners, and accounts on hold. */
@NullMarked
package dev.coppice.store.run;

import org.jspecify.annotations.NullMarked;
