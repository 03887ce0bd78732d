/** Domain values as callers see them, in Coppice's words and in the originals'. */
@NullMarked
package dev.coppice.view;

import org.jspecify.annotations.NullMarked;
