/**
 * Drives agent programs that speak a protocol. A driver is a process beside the program: it speaks
 * with the program over its pipes and with the coordinator over HTTP, so both outlive the runner.
 */
@org.jspecify.annotations.NullMarked
package dev.coppice.runner.drive;
