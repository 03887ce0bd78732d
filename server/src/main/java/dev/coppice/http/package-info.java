/** Requests to commands and outcomes to answers; one file per resource. */
@NullMarked
package dev.coppice.http;

import org.jspecify.annotations.NullMarked;
