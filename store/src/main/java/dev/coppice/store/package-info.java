/** The stored state: the ports of the core over SQL, a package for each group of nouns. */
@NullMarked
package dev.coppice.store;

import org.jspecify.annotations.NullMarked;
