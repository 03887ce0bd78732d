/** Runs, each one stretch of a session's work on a runner: queued, claimed, running, ended. */
@NullMarked
package dev.coppice.run;

import org.jspecify.annotations.NullMarked;
