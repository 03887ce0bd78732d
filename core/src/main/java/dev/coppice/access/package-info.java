/** Access control: roles, permissions and tokens. */
@NullMarked
package dev.coppice.access;

import org.jspecify.annotations.NullMarked;
