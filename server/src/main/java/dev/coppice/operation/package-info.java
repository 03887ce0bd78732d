/** Operations, each declared once: its input, permission, action and answer. */
@NullMarked
package dev.coppice.operation;

import org.jspecify.annotations.NullMarked;
