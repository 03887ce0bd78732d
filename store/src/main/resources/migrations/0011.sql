-- 0011_watching
--
-- Questions of programs whose hooks wait for an answer, and answers given in advance. What calls of models cost.

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

-- A use of a model: one call, or for sums of many a series of a meter. Backups have what a tree has spent in `spent`.
create table model_use (
    key integer primary key autoincrement,
    session integer not null references any_session (key) on delete cascade,
    -- The session of the program in which the agent is.
    main integer not null references any_session (key) on delete cascade,
    message text unique,
    request text unique,
    model text not null,
    input integer not null,
    output integer not null,
    cache_read integer not null,
    cache_write integer not null,
    cache_write_hour integer not null,
    -- What its program said that it cost, and what is charged; empty if the price is not known.
    cost_told integer,
    cost_micros integer,
    source text not null
        constraint model_use_source check (source in ('metric', 'hook', 'log', 'span', 'transcript')),
    at integer not null,
    constraint model_use_has_id check (message is not null or request is not null)
);
create index model_use_session on model_use (session);
create index model_use_main on model_use (main, source);
-- Finds the session for which Coppice started a program.
create index session_program on any_session (executor_session_id) where executor_session_id is not null;
create index model_use_unpriced on model_use (key) where cost_micros is null;

-- section: up sqlite

pragma writable_schema = on;
update sqlite_schema set sql = replace(sql, '''declared'', ''inferred''', '''declared'', ''telemetry'', ''mod'', ''inferred''')
where type = 'table' and name = 'relationship';
pragma writable_schema = reset;

-- section: up postgres

alter table relationship drop constraint relationship_evidence;
alter table relationship add constraint relationship_evidence check (
    evidence in ('tool_response', 'declared', 'telemetry', 'mod', 'inferred'));

-- section: down

update relationship set evidence = 'declared' where evidence in ('telemetry', 'mod');
drop table model_use;
drop index session_program;

-- A version without this step cannot read these.
delete from event where type in ('question_held', 'question_settled', 'tool_denied', 'standing_answer_moved');
drop table standing_answer;
drop table ask;

-- section: down sqlite

pragma writable_schema = on;
update sqlite_schema set sql = replace(sql, '''declared'', ''telemetry'', ''mod'', ''inferred''', '''declared'', ''inferred''')
where type = 'table' and name = 'relationship';
pragma writable_schema = reset;

-- section: down postgres

alter table relationship drop constraint relationship_evidence;
alter table relationship add constraint relationship_evidence check (
    evidence in ('tool_response', 'declared', 'inferred'));

-- section: losses

select count(*), 'uses of models, by which spending is told apart by model' from model_use;
select count(*), 'questions of programs' from ask;
select count(*), 'standing answers' from standing_answer where revoked_at is null;
