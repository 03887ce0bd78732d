/** Starts each kind of agent program, one file per kind; holds the scripted agent itself. */
@NullMarked
package dev.coppice.runner.agents;

import org.jspecify.annotations.NullMarked;
