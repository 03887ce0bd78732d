/** The processes of agent programs that Coppice did not start. */
@NullMarked
package dev.coppice.outside;

import org.jspecify.annotations.NullMarked;
