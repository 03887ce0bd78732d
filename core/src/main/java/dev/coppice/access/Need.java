package dev.coppice.access;

/** The permission that an endpoint requires; each endpoint declares exactly one. */
public enum Need {
    /** No token is required. */
    NOTHING,
    /** Read sessions, runs and removals that the caller may see. */
    READ,
    /** Start sessions and runs; an agent only at or below its own session. */
    SPAWN,
    /** Stop, message and remove sessions; an agent only below its own session. */
    ACT,
    /** Decide for a person what programs may do; no agent may. */
    DECIDE,
    /** Report events of a session; an agent only of its own and those inside of its program. */
    REPORT,
    /** Report what a program does; the only right of the token of its hooks. */
    TELL,
    /** Change the properties of a session, its binding and usage; an agent as for REPORT. */
    BIND,
    /** Change blueprints and tokens, release accounts, purge removals, use backups. */
    DEFINE,
    /** Sign a browser in or out. */
    SIGN_IN,
    /** Read the audit trail. */
    READ_AUDIT,
    /** List runners and accounts. */
    READ_FLEET,
    /** Remove a runner from the list. */
    MANAGE_FLEET,
    /** Act as a runner: register, claim, renew, report. */
    RUN
}
