-- 0011_watching
-- frozen: sqlite bfc9f2b53686c982, postgres 594b4bef7be3b873
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
    -- The cost that the program told, and the cost charged; empty if the price is not known.
    cost_told integer,
    cost_micros integer,
    source text not null
        constraint model_use_source check (source in ('metric', 'total', 'hook', 'log', 'span', 'transcript')),
    at integer not null,
    constraint model_use_has_id check (message is not null or request is not null)
);
create index model_use_session on model_use (session);
create index model_use_main on model_use (main, source);
-- Finds the session for which Coppice started a program.
create index session_program on any_session (executor_session_id) where executor_session_id is not null;
create index model_use_unpriced on model_use (key) where cost_micros is null;

-- The live process of a program that Coppice did not start.
create table outside_process (
    key integer primary key autoincrement,
    session integer not null unique references any_session (key) on delete cascade,
    host text not null,
    pid integer not null,
    -- Tells the process from an earlier one with the same id; empty until a runner has looked.
    start text,
    program text not null,
    consent text not null constraint outside_process_consent check (consent in ('watch', 'stop')),
    end_by integer,
    unique (host, pid)
);

-- The number of the last event that was exported to a collector.
create table event_exported (
    one integer primary key constraint event_exported_one check (one = 1),
    number integer not null
);
insert into event_exported (one, number) select 1, coalesce(max(number), 0) from event;

-- Alerts: more kinds, one for each cause, and deliveries to several channels.
alter table alert rename to alert_before;
create table alert (
    key integer primary key autoincrement,
    id text not null unique,
    session integer not null references any_session (key) on delete cascade,
    session_name text not null,
    kind text not null
        constraint alert_kind check (kind in (
            'failed', 'timed_out', 'lost', 'asks', 'silent', 'over_budget', 'quota_met')),
    cause text not null,
    reason text,
    raised_at integer not null,
    constraint alert_cause unique (session, cause)
);
insert into alert (id, session, session_name, kind, cause, reason, raised_at)
select id, session, session_name, kind, kind || ':' || raised_at, reason, raised_at from alert_before order by key;
create table alert_delivery (
    alert integer not null references alert (key) on delete cascade,
    channel text not null,
    state text not null constraint alert_delivery_state check (state in ('due', 'delivered', 'dead')),
    tries integer not null,
    due_at integer,
    error text,
    primary key (alert, channel),
    constraint alert_delivery_due_has_time check ((state = 'due') = (due_at is not null))
);
insert into alert_delivery (alert, channel, state, tries, due_at, error)
select a.key, 'webhook', b.state, b.tries, b.due_at, b.error
from alert_before b join alert a on a.id = b.id where b.state <> 'unsent';
drop table alert_before;
create index alert_delivery_due on alert_delivery (due_at) where due_at is not null;

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

alter table alert rename to alert_after;
create table alert (
    key integer primary key autoincrement,
    id text not null unique,
    session integer not null references any_session (key) on delete cascade,
    session_name text not null,
    kind text not null constraint alert_kind check (kind in ('failed', 'timed_out', 'lost')),
    reason text,
    raised_at integer not null,
    state text not null constraint alert_state check (state in ('unsent', 'due', 'delivered', 'dead')),
    tries integer not null,
    due_at integer,
    error text,
    constraint alert_once unique (session, raised_at),
    constraint alert_due_has_time check ((state = 'due') = (due_at is not null))
);
insert into alert (id, session, session_name, kind, reason, raised_at, state, tries, due_at, error)
select a.id, a.session, a.session_name, a.kind, a.reason, a.raised_at,
    coalesce(d.state, 'unsent'), coalesce(d.tries, 0), d.due_at, d.error
from alert_after a left join alert_delivery d on d.alert = a.key and d.channel = 'webhook'
where a.kind in ('failed', 'timed_out', 'lost') order by a.key;
drop table alert_delivery;
drop table alert_after;
create index alert_due on alert (due_at) where due_at is not null;
update relationship set evidence = 'declared' where evidence in ('telemetry', 'mod');
drop table model_use;
drop table outside_process;
drop table event_exported;
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
select count(*), 'processes of programs that Coppice did not start' from outside_process;
select count(*), 'questions of programs' from ask;
select count(*), 'standing answers' from standing_answer where revoked_at is null;
select count(*), 'alerts of other kinds than bad ends' from alert where kind not in ('failed', 'timed_out', 'lost');
select count(*), 'deliveries of alerts to other channels than the webhook' from alert_delivery where channel <> 'webhook';
