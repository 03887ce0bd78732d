/** The protocols of agent programs, each decided by what was heard and nothing else. */
@org.jspecify.annotations.NullMarked
package dev.coppice.runner.drive.dialect;
