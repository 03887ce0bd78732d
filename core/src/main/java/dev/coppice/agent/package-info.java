/** Blueprints: what a session is started from, and the placeholders in them. */
@NullMarked
package dev.coppice.agent;

import org.jspecify.annotations.NullMarked;
