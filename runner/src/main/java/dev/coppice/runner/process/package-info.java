/** Starts the processes of agents so that they outlive the runner, and finds all of them. */
@NullMarked
package dev.coppice.runner.process;

import org.jspecify.annotations.NullMarked;
