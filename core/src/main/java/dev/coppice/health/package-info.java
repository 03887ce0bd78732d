/** How sessions are doing: what they use, what they said last, and whether a person should look. */
@NullMarked
package dev.coppice.health;

import org.jspecify.annotations.NullMarked;
