/** Makes the archive: the program, the Java that it runs on, and what belongs to both. */
@NullMarked
package dev.coppice.dist;

import org.jspecify.annotations.NullMarked;
