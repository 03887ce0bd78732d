/** The journal: facts with numbers that grow in the order of commits. */
@NullMarked
package dev.coppice.journal;

import org.jspecify.annotations.NullMarked;
