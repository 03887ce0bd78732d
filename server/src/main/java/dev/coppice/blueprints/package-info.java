/** Blueprints on disk, the ones that come with Coppice, and their schemas. */
@NullMarked
package dev.coppice.blueprints;

import org.jspecify.annotations.NullMarked;
