/** What runners and the coordinator tell each other, and how callers see runners. */
@NullMarked
package dev.coppice.wire.fleet;

import org.jspecify.annotations.NullMarked;
