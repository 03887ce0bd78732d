/** The commands that start, show, wake and stop sessions. */
@NullMarked
package dev.coppice.cli.session;

import org.jspecify.annotations.NullMarked;
