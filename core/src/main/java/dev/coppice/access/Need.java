package dev.coppice.access;

/** What an endpoint lets its callers do; each endpoint declares exactly one. */
public enum Need {
    /** Anyone, without a token. */
    NOTHING,
    /** Look at what one may see. */
    READ,
    /** Start sessions and runs; an agent only at or below itself. */
    SPAWN,
    /** Stop, change and message sessions; an agent only below itself. */
    ACT,
    /** Tell what a session does; an agent only for itself. */
    REPORT,
    /** Make, change and remove blueprints. */
    DEFINE,
    /** Read who did what. */
    READ_AUDIT,
    /** Look at runners. */
    READ_FLEET,
    /** Take a runner off the list. */
    MANAGE_FLEET,
    /** Be a runner: register, claim, renew, report. */
    RUN
}
