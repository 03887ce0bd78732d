-- 0011_questions
--
-- Questions of programs whose hooks wait for an answer, and answers given in advance.

-- section: up

create table ask (
    key integer primary key autoincrement,
    id text not null unique,
    session integer not null references any_session (key) on delete cascade,
    -- The number of the event that asks. Retention may delete it before the question.
    event integer not null,
    tool text not null,
    subject text not null,
    asked_at integer not null,
    until_at integer not null,
    otherwise text not null constraint ask_otherwise check (otherwise in ('nothing', 'deny')),
    state text not null
        constraint ask_state check (state in ('open', 'allowed', 'denied', 'unanswered', 'withdrawn')),
    settled_by text,
    reason text,
    standing text,
    settled_at integer,
    constraint ask_settled_has_time check ((state = 'open') = (settled_at is null)),
    constraint ask_settled_by_someone check ((state = 'open') = (settled_by is null))
);
create index ask_open on ask (key) where state = 'open';
create index ask_session on ask (session, key);

create table standing_answer (
    key integer primary key autoincrement,
    id text not null unique,
    session integer not null references any_session (key) on delete cascade,
    pattern text not null,
    verdict text not null constraint standing_answer_verdict check (verdict in ('allow', 'deny', 'ask')),
    reason text,
    made_by text not null,
    made_at integer not null,
    until_at integer not null,
    revoked_at integer,
    revoked_by text,
    uses integer not null default 0,
    used_at integer,
    constraint standing_answer_revoked_by_someone check ((revoked_at is null) = (revoked_by is null))
);
create index standing_answer_session on standing_answer (session, key);

-- section: down

-- A version without this step cannot read these.
delete from event where type in ('question_held', 'question_settled', 'tool_denied', 'standing_answer_moved');
drop table standing_answer;
drop table ask;

-- section: losses

select count(*), 'questions of programs' from ask;
select count(*), 'standing answers' from standing_answer where revoked_at is null;
