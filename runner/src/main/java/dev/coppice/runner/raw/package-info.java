/** Files as they are on disk: looked through, archived and deleted by handle. */
@NullMarked
package dev.coppice.runner.raw;

import org.jspecify.annotations.NullMarked;
