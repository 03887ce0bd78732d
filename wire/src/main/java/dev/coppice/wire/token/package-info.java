/** Calls about access tokens. */
@NullMarked
package dev.coppice.wire.token;

import org.jspecify.annotations.NullMarked;
