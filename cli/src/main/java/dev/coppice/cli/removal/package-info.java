/** The commands that remove, undo, back up and restore trees. */
@NullMarked
package dev.coppice.cli.removal;

import org.jspecify.annotations.NullMarked;
