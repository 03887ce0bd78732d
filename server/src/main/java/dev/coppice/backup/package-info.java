/** Files of preserved work, and backups: one file for each tree. */
@NullMarked
package dev.coppice.backup;

import org.jspecify.annotations.NullMarked;
