/** A session: its id, its place in the tree, its lifecycle, and how one starts. */
@NullMarked
package dev.coppice.session;

import org.jspecify.annotations.NullMarked;
