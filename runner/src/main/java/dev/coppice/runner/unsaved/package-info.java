/** Work that is saved nowhere else: found, kept as commits, proved, given back. */
@NullMarked
package dev.coppice.runner.unsaved;

import org.jspecify.annotations.NullMarked;
