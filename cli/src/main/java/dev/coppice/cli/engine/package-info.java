/** What every command uses: arguments, options, help, output, exit codes, the connection. */
@NullMarked
package dev.coppice.cli.engine;

import org.jspecify.annotations.NullMarked;
