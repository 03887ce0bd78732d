/** The channels by which alerts leave the coordinator. */
@NullMarked
package dev.coppice.alerts;

import org.jspecify.annotations.NullMarked;
