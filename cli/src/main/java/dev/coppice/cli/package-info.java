/** The coppice command: one file per command, exit codes in one place. */
@NullMarked
package dev.coppice.cli;

import org.jspecify.annotations.NullMarked;
