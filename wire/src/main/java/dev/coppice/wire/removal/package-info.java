/** Removals, preserved work, backups and the audit on the wire. */
@NullMarked
package dev.coppice.wire.removal;

import org.jspecify.annotations.NullMarked;
