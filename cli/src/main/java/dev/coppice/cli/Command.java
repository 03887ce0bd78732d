package dev.coppice.cli;

/** A command of the command line. */
interface Command {
    String name();

    Usage usage();

    Exit run(Args args, Console console);
}
