/** An operation, declared once: what it takes, needs, does and answers. */
@NullMarked
package dev.coppice.operation;

import org.jspecify.annotations.NullMarked;
