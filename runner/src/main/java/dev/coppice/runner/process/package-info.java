/** The processes of agents: started so that they outlive the runner, found wherever they hide. */
@NullMarked
package dev.coppice.runner.process;

import org.jspecify.annotations.NullMarked;
