/** Finds unsaved work, preserves it as commits or archives, verifies it and restores it. */
@NullMarked
package dev.coppice.runner.unsaved;

import org.jspecify.annotations.NullMarked;
