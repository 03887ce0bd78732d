/** Alerts: what a person wants to know at once, and how it reaches them. */
@NullMarked
package dev.coppice.alert;

import org.jspecify.annotations.NullMarked;
