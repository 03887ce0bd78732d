/** Sessions and their trees on the wire. */
@NullMarked
package dev.coppice.wire.session;

import org.jspecify.annotations.NullMarked;
