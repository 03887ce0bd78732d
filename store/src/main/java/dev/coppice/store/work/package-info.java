/** Directories, their tasks, and unsaved work. */
@NullMarked
package dev.coppice.store.work;

import org.jspecify.annotations.NullMarked;
