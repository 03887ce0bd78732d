/** The directories in which sessions work, and the unsaved work in them. */
@NullMarked
package dev.coppice.work;

import org.jspecify.annotations.NullMarked;
