/** Domain values as callers see them, in our words and in the originals'. */
@NullMarked
package dev.coppice.view;

import org.jspecify.annotations.NullMarked;
