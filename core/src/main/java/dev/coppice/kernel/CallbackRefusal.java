package dev.coppice.kernel;

/** Refusals about callbacks, joins and messages. */
public sealed interface CallbackRefusal extends Refusal {
    record CallbackUnknown(String callback) implements CallbackRefusal {}

    record JoinUnknown(String join) implements CallbackRefusal {}

    record NotDead(String callback, String state) implements CallbackRefusal {}

    record NotLiving(SessionId session, String as) implements CallbackRefusal {}

    record NothingToWaitFor(SessionId session, String why) implements CallbackRefusal {}
}
