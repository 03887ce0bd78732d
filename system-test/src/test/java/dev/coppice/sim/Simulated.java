package dev.coppice.sim;

/** A world in which one seed decides everything. */
interface Simulated {
    /** Performs one random action. */
    void step();

    /** Lets everything behave correctly until all work is done. */
    void calm();

    /** The actions so far, each with its time and outcome. */
    String story();
}
