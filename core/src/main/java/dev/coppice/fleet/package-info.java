/** Runners as the coordinator sees them: registration, claims, leases, and held accounts. */
@NullMarked
package dev.coppice.fleet;

import org.jspecify.annotations.NullMarked;
