/** Archives that any tar program can read. */
@NullMarked
package dev.coppice.tar;

import org.jspecify.annotations.NullMarked;
