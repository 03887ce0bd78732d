/** Alerts: what a person should know at once, and the channels that deliver it. */
@NullMarked
package dev.coppice.alert;

import org.jspecify.annotations.NullMarked;
