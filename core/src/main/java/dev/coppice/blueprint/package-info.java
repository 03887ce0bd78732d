/** Blueprints, which are the definitions that sessions start from, and their placeholders. */
@NullMarked
package dev.coppice.blueprint;

import org.jspecify.annotations.NullMarked;
