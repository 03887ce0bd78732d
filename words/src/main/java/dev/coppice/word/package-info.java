/** The words that the rules and the wire share: enums whose constants' names are their texts. */
@NullMarked
package dev.coppice.word;

import org.jspecify.annotations.NullMarked;
