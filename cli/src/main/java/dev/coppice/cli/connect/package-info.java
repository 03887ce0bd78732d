/** Puts Coppice into the configuration of agent programs, and takes it out again. */
@NullMarked
package dev.coppice.cli.connect;

import org.jspecify.annotations.NullMarked;
