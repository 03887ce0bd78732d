/** The coppice command: the list of commands, and those for this machine. */
@NullMarked
package dev.coppice.cli;

import org.jspecify.annotations.NullMarked;
