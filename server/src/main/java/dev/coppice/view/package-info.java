/** Domain values as callers see them, in Coppice's words and in the older ones. */
@NullMarked
package dev.coppice.view;

import org.jspecify.annotations.NullMarked;
