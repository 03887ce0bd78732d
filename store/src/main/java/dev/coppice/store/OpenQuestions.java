package dev.coppice.store;

import dev.coppice.health.Question;
import dev.coppice.health.Question.Reach;
import dev.coppice.kernel.JsonText;
import dev.coppice.kernel.SessionId;
import dev.coppice.store.engine.Row;
import dev.coppice.store.engine.Sql;
import dev.coppice.store.engine.Trail;
import dev.coppice.store.engine.Tx;

import java.sql.SQLException;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Finds the questions to people that are open. A live session asks if its last event is a question
 * without an answer, so one look at the last event of each live session finds all. A question that
 * nobody answered here in time is one: its program asks in its own window now.
 */
final class OpenQuestions {
    /** Events by which programs ask a person. */
    static final Set<String> TYPES =
            Set.of(
                    "question",
                    "PermissionRequest",
                    "Elicitation",
                    "Notification",
                    "permission_request");

    /** The same in SQL. */
    static final String TYPE_LIST =
            TYPES.stream().sorted().map(type -> "'" + type + "'").collect(Collectors.joining(", "));

    /** Events that the coordinator writes about a session beside what the session does. */
    static final String NOT_SAID =
            "('session_created', 'session_updated', 'result_given', 'alert_raised',"
                    + " 'question_held', 'question_settled', 'standing_answer_moved')";

    /** A question of the hook server's programs is a field, in an event of any type. */
    private static final Sql FIND =
            Sql.of(
                    """
                    select s.id, e.number, e.type, coalesce(e.sent_at, e.at) as at, e.body,
                        case when s.state = 'idle' or (s.state <> 'stopping' and exists (
                            select 1 from run r where r.session = s.key and r.ended_at is null))
                            then 1 else 0 end as is_heard,
                        case when e.sent_at is null then 0 else 1 end as is_sent
                    from session s
                    join event e on e.number = (
                        select l.number from event l where l.session_id = s.id
                        and l.type not in %s order by l.number desc limit 1)
                    where s.state in ('pending', 'running', 'idle', 'stopping')
                    and s.trail >= :trail and s.trail < :end
                    and substr(e.type, 1, 1) = '*' and e.answer is null
                    and not exists (
                        select 1 from ask a where a.session = s.key and a.event = e.number
                        and (a.state <> 'unanswered' or a.otherwise = 'deny'))
                    and (substr(e.type, 2) in (%s) or e.body like '%%"humanInTheLoop"%%')
                    """
                            .formatted(NOT_SAID, TYPE_LIST));

    /** Questions with which a program waits, whatever its session did since. */
    private static final Sql HELD =
            Sql.of(
                    """
                    select s.id, e.number, e.type, a.asked_at as at, e.body, a.id as ask
                    from ask a
                    cross join session s
                    join event e on e.number = a.event
                    where a.state = 'open' and s.key = a.session
                    and s.trail >= :trail and s.trail < :end
                    """);

    private OpenQuestions() {}

    /** The open questions in the range of this trail, the oldest first; one of a session. */
    static List<Question> within(String trail) {
        var held =
                Tx.call(HELD)
                        .set("trail", trail)
                        .set("end", Trail.end(trail))
                        .list(OpenQuestions::held);
        var others =
                Tx.call(FIND)
                        .set("trail", trail)
                        .set("end", Trail.end(trail))
                        .list(OpenQuestions::read);
        var first = new LinkedHashMap<SessionId, Question>();
        Stream.concat(
                        held.stream().sorted(Comparator.comparing(Question::at)),
                        others.stream().flatMap(Optional::stream))
                .forEach(question -> first.putIfAbsent(question.session(), question));
        return first.values().stream().sorted(Comparator.comparing(Question::at)).toList();
    }

    private static Question held(Row row) throws SQLException {
        var body = row.text("body");
        return new Question(
                new SessionId(row.text("id")),
                row.number("number"),
                FactText.fact(row.text("type"), body).shown().type(),
                row.instant("at"),
                Reach.HELD,
                row.text("ask"),
                new JsonText(body));
    }

    /** Empty if the text of the event only mentions the field of a question. */
    private static Optional<Question> read(Row row) throws SQLException {
        var body = row.text("body");
        var fact = FactText.fact(row.text("type"), body);
        var type = fact.shown().type();
        boolean hasField = EventWords.of(fact, body).isQuestion();
        if (!hasField && !TYPES.contains(type)) return Optional.empty();
        var reach = row.number("is_heard") == 1 ? Reach.MESSAGE : Reach.ELSEWHERE;
        if (hasField && row.number("is_sent") == 1) reach = Reach.RESPONSE;
        return Optional.of(
                new Question(
                        new SessionId(row.text("id")),
                        row.number("number"),
                        type,
                        row.instant("at"),
                        reach,
                        null,
                        new JsonText(body)));
    }
}
