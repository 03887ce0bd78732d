/** The wire format between processes: requests and views as records, problems, event frames. */
@NullMarked
package dev.coppice.wire;

import org.jspecify.annotations.NullMarked;
