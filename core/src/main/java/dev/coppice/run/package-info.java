/** One stretch of work by a session on a runner: queued, claimed, running, stopping, ended. */
@NullMarked
package dev.coppice.run;

import org.jspecify.annotations.NullMarked;
