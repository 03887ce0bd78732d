/** Makes the directories of agents; inspects, preserves, restores and deletes what they hold. */
@NullMarked
package dev.coppice.runner.directory;

import org.jspecify.annotations.NullMarked;
