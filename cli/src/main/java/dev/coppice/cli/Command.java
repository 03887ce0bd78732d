package dev.coppice.cli;

/** One command. */
interface Command {
    String name();

    Usage usage();

    Exit run(Args args, Console console);
}
