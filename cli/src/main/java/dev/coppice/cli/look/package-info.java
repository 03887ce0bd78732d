/** Commands that show what happens: trees, events and output, once or live. */
@NullMarked
package dev.coppice.cli.look;

import org.jspecify.annotations.NullMarked;
