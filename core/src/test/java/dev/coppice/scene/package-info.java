/** The words in which tests tell their stories. */
@NullMarked
package dev.coppice.scene;

import org.jspecify.annotations.NullMarked;
