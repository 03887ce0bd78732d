/** How each kind of agent program is started; one file per kind, and the scripted agent itself. */
@NullMarked
package dev.coppice.runner.agents;

import org.jspecify.annotations.NullMarked;
