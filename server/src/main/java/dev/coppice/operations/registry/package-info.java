/** Operations on registries, and the export and import of all of them. */
@NullMarked
package dev.coppice.operations.registry;

import org.jspecify.annotations.NullMarked;
