/** Commands share these: arguments, options, help, output, exit codes and the connection. */
@NullMarked
package dev.coppice.cli.engine;

import org.jspecify.annotations.NullMarked;
