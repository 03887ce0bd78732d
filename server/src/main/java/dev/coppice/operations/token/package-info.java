/** The operations on tokens, and the sign-in of browsers. */
@NullMarked
package dev.coppice.operations.token;

import org.jspecify.annotations.NullMarked;
