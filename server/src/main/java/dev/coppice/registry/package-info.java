/** Registries whose entries are files, so that they can be edited, copied and kept in git. */
@NullMarked
package dev.coppice.registry;

import org.jspecify.annotations.NullMarked;
