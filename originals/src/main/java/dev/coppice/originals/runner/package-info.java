/** The protocol of the older runners, which know no fences. */
@NullMarked
package dev.coppice.originals.runner;

import org.jspecify.annotations.NullMarked;
