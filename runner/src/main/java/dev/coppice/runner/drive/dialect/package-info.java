/** The protocols of agent programs. Each depends only on the messages that it received. */
@org.jspecify.annotations.NullMarked
package dev.coppice.runner.drive.dialect;
