package dev.coppice.kernel;

import org.jspecify.annotations.Nullable;

/** Refusals about sessions and stops. */
public sealed interface SessionRefusal extends Refusal {
    record SessionUnknown(String session) implements SessionRefusal {}

    record SessionIdTaken(SessionId session) implements SessionRefusal {}

    record NameTaken(String name, SessionId by) implements SessionRefusal {}

    record ParentUnknown(String parent) implements SessionRefusal {}

    record ParentIsItself(SessionId session) implements SessionRefusal {}

    record ParentMakesCycle(SessionId session, SessionId parent) implements SessionRefusal {}

    record ParentIsFixed(SessionId session, @Nullable SessionId has, SessionId wanted)
            implements SessionRefusal {}

    record ParentIsStopping(SessionId parent) implements SessionRefusal {}

    record WaveUnknown(String wave) implements SessionRefusal {}

    record StopUnknown(String stop) implements SessionRefusal {}

    record TreeIsStopping(SessionId top) implements SessionRefusal {}

    record ParentHasEnded(SessionId parent, String as) implements SessionRefusal {}

    record SessionBusy(SessionId session, RunId run) implements SessionRefusal {}

    record StateForbids(String what, String state, String event) implements SessionRefusal {}

    record ResultNotReady(SessionId session, String status) implements SessionRefusal {}

    record ResultMissing(SessionId session) implements SessionRefusal {}

    /** A question or a standing answer. */
    record AskUnknown(String ask) implements SessionRefusal {}

    record AskIsSettled(String ask, String as) implements SessionRefusal {}

    /** An agent may not lift what a person has set. */
    record PeopleOnly(SessionId session, String what) implements SessionRefusal {}

    /** The program of this session, which Coppice cannot end, may use no tools. */
    record ToolsAreStopped(SessionId session, String how) implements SessionRefusal {}
}
