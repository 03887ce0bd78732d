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
        /** None: it must work with a file that cannot be used. It calls no coordinator. */
        NONE,
        /** Those with which a coordinator is called. */
        OF_CALLER,
        /** All: it starts something here, or opens the database. It calls no named coordinator. */
        ALL
    }
}
