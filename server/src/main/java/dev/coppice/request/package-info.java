/** The requests of callers: operations, each declared once, and what they read and answer. */
@NullMarked
package dev.coppice.request;

import org.jspecify.annotations.NullMarked;
