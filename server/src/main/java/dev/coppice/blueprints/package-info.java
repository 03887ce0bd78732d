/** Blueprints on disk, built-in blueprints, and their schemas. */
@NullMarked
package dev.coppice.blueprints;

import org.jspecify.annotations.NullMarked;
