/** The dashboard: the files that a browser loads. All that they show comes from the REST API. */
@NullMarked
package dev.coppice.dashboard;

import org.jspecify.annotations.NullMarked;
