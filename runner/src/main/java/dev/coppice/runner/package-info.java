/** The program beside the agents: claim, start, watch, report, stop; keeps its leases. */
@NullMarked
package dev.coppice.runner;

import org.jspecify.annotations.NullMarked;
