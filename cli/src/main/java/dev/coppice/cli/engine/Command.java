package dev.coppice.cli.engine;

/** A command of the command line. */
public interface Command {
    String name();

    Usage usage();

    Exit run(Args args, Console console);

    /** The settings of the configuration file that the command uses. */
    default Reads reads() {
        return Reads.OF_CALLER;
    }

    /** Which settings of the configuration file a command uses. */
    enum Reads {
        /** None: the command must work with a broken file. It calls no coordinator. */
        NONE,
        /** The settings with which a coordinator is called. */
        OF_CALLER,
        /** All: the command starts a coordinator, or opens its database. It calls none by name. */
        ALL
    }
}
