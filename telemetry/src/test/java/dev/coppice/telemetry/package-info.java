@org.jspecify.annotations.NullMarked
package dev.coppice.telemetry;
