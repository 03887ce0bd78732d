/** Questions of programs, whose hooks wait for the answers of people, and standing answers. */
@NullMarked
package dev.coppice.ask;

import org.jspecify.annotations.NullMarked;
