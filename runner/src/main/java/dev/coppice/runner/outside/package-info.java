/** Agent programs on this machine that no runner started. */
@NullMarked
package dev.coppice.runner.outside;

import org.jspecify.annotations.NullMarked;
