/** The commands that look for inconsistencies, and repair them. */
@NullMarked
package dev.coppice.cli.doctor;

import org.jspecify.annotations.NullMarked;
