/** Runners as the coordinator sees them: who is here, what they can take, what they hold. */
@NullMarked
package dev.coppice.fleet;

import org.jspecify.annotations.NullMarked;
