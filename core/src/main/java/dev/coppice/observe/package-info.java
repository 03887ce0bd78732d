/** Agents that Coppice did not start: the events that they send, and the tree that these show. */
@NullMarked
package dev.coppice.observe;

import org.jspecify.annotations.NullMarked;
