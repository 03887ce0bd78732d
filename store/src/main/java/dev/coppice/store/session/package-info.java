/** Sessions and their place in the tree. */
@NullMarked
package dev.coppice.store.session;

import org.jspecify.annotations.NullMarked;
