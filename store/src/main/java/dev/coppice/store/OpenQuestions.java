package dev.coppice.store;

import dev.coppice.health.OpenQuestion;
import dev.coppice.health.OpenQuestion.Reach;
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
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Finds the questions to people that are open. A live session asks if its last event is a question
 * without an answer, so one look at the last event of each live session finds all. A held question
 * that timed out counts as open: its program now asks in its own window.
 */
final class OpenQuestions {
    /** Limits the questions in memory: a sender of events can ask any number. */
    private static final int QUESTIONS_MAX = 1_000;

    /** A question is at the beginning of its event. */
    private static final int BODY_CHARS_MAX = 16_384;

    /** The types of questions in SQL. */
    static final String TYPE_LIST =
            OpenQuestion.TYPES.stream()
                    .sorted()
                    .map(type -> "'" + type + "'")
                    .collect(Collectors.joining(", "));

    /** Events that the coordinator writes about a session, and that are not its activity. */
    static final String NOT_SAID =
            "('session_created', 'session_updated', 'result_given', 'alert_raised',"
                    + " 'question_held', 'question_settled', 'standing_answer_moved')";

    /**
     * The condition that an event may be a question without an answer. Programs of the hook server
     * ask by a field, in an event of any type.
     */
    static final String IS_QUESTION =
            """
            substr(e.type, 1, 1) = '*' and e.answer is null
            and (substr(e.type, 2) in (%s)
                or substr(e.body, 1, %d) like '%%"humanInTheLoop"%%')
            """
                    .formatted(TYPE_LIST, BODY_CHARS_MAX);

    private static final Sql FIND =
            Sql.of(
                    """
                    select s.id, e.number, e.type, coalesce(e.sent_at, e.at) as at,
                        substr(e.body, 1, %d) as body,
                        case when s.state = 'idle' or (s.state <> 'stopping' and exists (
                            select 1 from run r where r.session = s.key and r.ended_at is null))
                            then 1 else 0 end as is_heard,
                        case when e.sent_at is null then 0 else 1 end as is_sent
                    from event e join session s on s.id = e.session_id
                    where e.number in (
                        select e.number from session s
                        join event e on e.number = (
                            select l.number from event l where l.session_id = s.id
                            and l.type not in %s order by l.number desc limit 1)
                        where s.state in ('pending', 'running', 'idle', 'stopping')
                        and s.trail >= :trail and s.trail < :end
                        and (%s)
                        and not exists (
                            select 1 from ask a where a.session = s.key and a.event = e.number
                            and (a.state <> 'unanswered' or a.otherwise = 'deny'))
                        order by e.number desc limit :max)
                    """
                            .formatted(BODY_CHARS_MAX, NOT_SAID, IS_QUESTION));

    /** Questions whose programs wait for the answer, whatever their sessions did since. */
    private static final Sql HELD =
            Sql.of(
                    """
                    select s.id, e.number, e.type, a.asked_at as at,
                        substr(e.body, 1, %d) as body, a.id as ask
                    from ask a
                    cross join session s
                    join event e on e.number = a.event
                    where a.state = 'open' and s.key = a.session
                    and s.trail >= :trail and s.trail < :end
                    """
                            .formatted(BODY_CHARS_MAX));

    private OpenQuestions() {}

    /**
     * The open questions in the subtree of this trail, the oldest first, one per session. Of those
     * that are not held, only the newest {@link #QUESTIONS_MAX} are read.
     */
    static List<OpenQuestion> within(String trail) {
        var end = Trail.end(trail);
        var held = Tx.call(HELD).set("trail", trail).set("end", end).list(OpenQuestions::held);
        var others =
                Tx.call(FIND)
                        .set("trail", trail)
                        .set("end", end)
                        .set("max", QUESTIONS_MAX)
                        .list(OpenQuestions::read);
        var first = new LinkedHashMap<SessionId, OpenQuestion>();
        Stream.concat(
                        held.stream().sorted(Comparator.comparing(OpenQuestion::at)),
                        others.stream().flatMap(Optional::stream))
                .forEach(question -> first.putIfAbsent(question.session(), question));
        return first.values().stream().sorted(Comparator.comparing(OpenQuestion::at)).toList();
    }

    private static String body(Row row) throws SQLException {
        return CutJson.closed(row.text("body"), BODY_CHARS_MAX);
    }

    private static OpenQuestion held(Row row) throws SQLException {
        var body = body(row);
        return new OpenQuestion(
                new SessionId(row.text("id")),
                row.number("number"),
                FactText.fact(row.text("type"), body).shown().type(),
                row.instant("at"),
                Reach.HELD,
                row.text("ask"),
                new JsonText(body));
    }

    /** Empty if the text of the event only mentions the field of a question. */
    private static Optional<OpenQuestion> read(Row row) throws SQLException {
        var body = body(row);
        var fact = FactText.fact(row.text("type"), body);
        var type = fact.shown().type();
        boolean hasField = EventWords.of(fact, body).isQuestion();
        if (!hasField && !OpenQuestion.TYPES.contains(type)) return Optional.empty();
        var reach = row.number("is_heard") == 1 ? Reach.MESSAGE : Reach.ELSEWHERE;
        if (hasField && row.number("is_sent") == 1) reach = Reach.RESPONSE;
        return Optional.of(
                new OpenQuestion(
                        new SessionId(row.text("id")),
                        row.number("number"),
                        type,
                        row.instant("at"),
                        reach,
                        null,
                        new JsonText(body)));
    }
}
