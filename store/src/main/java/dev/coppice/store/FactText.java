package dev.coppice.store;

import dev.coppice.journal.Fact;
import dev.coppice.kernel.JsonText;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.json.JsonMapper;

/**
 * Facts as rows: a type and a body. What an agent reports keeps its own type, marked with a star so
 * that it can never be mistaken for one of ours. Rows already written must stay readable.
 */
final class FactText {
    private static final String REPORTED = "*";
    private static final JsonMapper MAPPER =
            JsonMapper.builder()
                    .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
                    .build();

    private FactText() {}

    static String type(Fact fact) {
        return switch (fact) {
            case Fact.SessionCreated _ -> "session_created";
            case Fact.SessionUpdated _ -> "session_updated";
            case Fact.RunStarted _ -> "run_started";
            case Fact.RunCompleted _ -> "run_completed";
            case Fact.RunStopped _ -> "run_stopped";
            case Fact.RunFailed _ -> "run_failed";
            case Fact.ResultGiven _ -> "result_given";
            case Fact.TreeStopMoved _ -> "tree_stop_moved";
            case Fact.TreeFrozen _ -> "tree_frozen";
            case Fact.BudgetUsed _ -> "budget_used";
            case Fact.AccountHeld _ -> "account_held";
            case Fact.CallbackMoved _ -> "callback_moved";
            case Fact.RemovalMoved _ -> "removal_moved";
            case Fact.SessionDeleted _ -> "session_deleted";
            case Fact.SessionRestored _ -> "session_restored";
            case Fact.SessionDetached _ -> "session_detached";
            case Fact.SessionAttached _ -> "session_attached";
            case Fact.Reported(var type, _) -> REPORTED + type;
        };
    }

    static String body(Fact fact) {
        return switch (fact) {
            case Fact.SessionCreated(var shot) -> MAPPER.writeValueAsString(shot);
            case Fact.SessionUpdated(var shot) -> MAPPER.writeValueAsString(shot);
            case Fact.RunStarted _ -> "{}";
            case Fact.RunCompleted f -> MAPPER.writeValueAsString(f);
            case Fact.RunStopped f -> MAPPER.writeValueAsString(f);
            case Fact.RunFailed f -> MAPPER.writeValueAsString(f);
            case Fact.ResultGiven(var text, var data) ->
                    MAPPER.writeValueAsString(new Given(text, data == null ? null : data.value()));
            case Fact.TreeStopMoved f -> MAPPER.writeValueAsString(f);
            case Fact.TreeFrozen f -> MAPPER.writeValueAsString(f);
            case Fact.BudgetUsed f -> MAPPER.writeValueAsString(f);
            case Fact.AccountHeld f -> MAPPER.writeValueAsString(f);
            case Fact.CallbackMoved f -> MAPPER.writeValueAsString(f);
            case Fact.RemovalMoved f -> MAPPER.writeValueAsString(f);
            case Fact.SessionDeleted f -> MAPPER.writeValueAsString(f);
            case Fact.SessionRestored f -> MAPPER.writeValueAsString(f);
            case Fact.SessionDetached f -> MAPPER.writeValueAsString(f);
            case Fact.SessionAttached f -> MAPPER.writeValueAsString(f);
            case Fact.Reported(_, var body) -> body.value();
        };
    }

    static Fact fact(String type, String body) {
        if (type.startsWith(REPORTED)) {
            return new Fact.Reported(type.substring(1), new JsonText(body));
        }
        return switch (type) {
            case "session_created" -> new Fact.SessionCreated(shot(body));
            case "session_updated" -> new Fact.SessionUpdated(shot(body));
            case "run_started" -> new Fact.RunStarted();
            case "run_completed" -> MAPPER.readValue(body, Fact.RunCompleted.class);
            case "run_stopped" -> MAPPER.readValue(body, Fact.RunStopped.class);
            case "run_failed" -> MAPPER.readValue(body, Fact.RunFailed.class);
            case "result_given" -> {
                var given = MAPPER.readValue(body, Given.class);
                var data = given.data();
                yield new Fact.ResultGiven(given.text(), data == null ? null : new JsonText(data));
            }
            case "tree_stop_moved" -> MAPPER.readValue(body, Fact.TreeStopMoved.class);
            case "tree_frozen" -> MAPPER.readValue(body, Fact.TreeFrozen.class);
            case "budget_used" -> MAPPER.readValue(body, Fact.BudgetUsed.class);
            case "account_held" -> MAPPER.readValue(body, Fact.AccountHeld.class);
            case "callback_moved" -> MAPPER.readValue(body, Fact.CallbackMoved.class);
            case "removal_moved" -> MAPPER.readValue(body, Fact.RemovalMoved.class);
            case "session_deleted" -> MAPPER.readValue(body, Fact.SessionDeleted.class);
            case "session_restored" -> MAPPER.readValue(body, Fact.SessionRestored.class);
            case "session_detached" -> MAPPER.readValue(body, Fact.SessionDetached.class);
            case "session_attached" -> MAPPER.readValue(body, Fact.SessionAttached.class);
            case String unknown -> throw new IllegalStateException("unknown fact " + unknown);
        };
    }

    private static Fact.SessionShot shot(String body) {
        return MAPPER.readValue(body, Fact.SessionShot.class);
    }

    private record Given(@Nullable String text, @Nullable String data) {}
}
