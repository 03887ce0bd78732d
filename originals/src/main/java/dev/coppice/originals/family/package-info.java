/** The paths and the pages of the relationship server. */
@NullMarked
package dev.coppice.originals.family;

import org.jspecify.annotations.NullMarked;
