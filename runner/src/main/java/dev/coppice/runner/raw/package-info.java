/** Walks and deletes directories by handle; archives and unpacks them. */
@NullMarked
package dev.coppice.runner.raw;

import org.jspecify.annotations.NullMarked;
