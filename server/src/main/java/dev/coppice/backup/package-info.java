/** What is kept of sessions that go: files of unsaved work, and whole trees in one file each. */
@NullMarked
package dev.coppice.backup;

import org.jspecify.annotations.NullMarked;
