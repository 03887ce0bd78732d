/** Fixtures and shorthands for tests. */
@NullMarked
package dev.coppice.scene;

import org.jspecify.annotations.NullMarked;
