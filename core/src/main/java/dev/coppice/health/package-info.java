/**
 * The health of sessions: their resource use, their last events, and the reasons to look at them.
 */
@NullMarked
package dev.coppice.health;

import org.jspecify.annotations.NullMarked;
