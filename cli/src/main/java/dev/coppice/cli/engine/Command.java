package dev.coppice.cli.engine;

/** A command of the command line. */
public interface Command {
    String name();

    Usage usage();

    Exit run(Args args, Console console);
}
