/** The pages of the older hook server: the events they list and follow. */
@NullMarked
package dev.coppice.originals.page;

import org.jspecify.annotations.NullMarked;
