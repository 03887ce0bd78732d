/** The configuration file, and the coordinators that a user has named. */
@NullMarked
package dev.coppice.cli.config;

import org.jspecify.annotations.NullMarked;
