/** The runners' side of the coordinator: register, claim, renew, report. */
@NullMarked
package dev.coppice.dispatch;

import org.jspecify.annotations.NullMarked;
