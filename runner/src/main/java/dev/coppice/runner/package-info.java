/** The runner: claims runs, starts and watches their agents, reports, stops, and renews leases. */
@NullMarked
package dev.coppice.runner;

import org.jspecify.annotations.NullMarked;
