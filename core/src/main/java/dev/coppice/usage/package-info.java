/** What calls of models used and cost, each counted once however often it is told. */
@NullMarked
package dev.coppice.usage;

import org.jspecify.annotations.NullMarked;
