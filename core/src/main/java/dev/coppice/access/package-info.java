/** Who may do what to which session. */
@NullMarked
package dev.coppice.access;

import org.jspecify.annotations.NullMarked;
