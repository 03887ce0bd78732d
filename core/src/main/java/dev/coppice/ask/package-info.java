/** Questions of programs to people that their hooks wait with, and answers given in advance. */
@NullMarked
package dev.coppice.ask;

import org.jspecify.annotations.NullMarked;
