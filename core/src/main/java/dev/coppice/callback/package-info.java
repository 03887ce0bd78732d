/** The durable records that wake a session, and the ways to wait for children. */
@NullMarked
package dev.coppice.callback;

import org.jspecify.annotations.NullMarked;
