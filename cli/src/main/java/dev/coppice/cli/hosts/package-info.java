/** Other machines on which runners are started by ssh. */
@NullMarked
package dev.coppice.cli.hosts;

import org.jspecify.annotations.NullMarked;
