/** Blueprints, which are the definitions that sessions start from, and their placeholders. */
@NullMarked
package dev.coppice.agent;

import org.jspecify.annotations.NullMarked;
