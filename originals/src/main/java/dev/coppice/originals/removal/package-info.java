/** The deletion of a session with its older path, flags and answer. */
@NullMarked
package dev.coppice.originals.removal;

import org.jspecify.annotations.NullMarked;
