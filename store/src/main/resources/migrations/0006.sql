-- 0006_search_and_waves
-- frozen: sqlite e0470d23247a04ac, postgres 7896e1bc88609199
--
-- A full-text index of events, which follows the journal at a short distance, and waves: sessions that are started and
-- awaited together.

-- section: up

-- The number of the last event that the full-text index has read.
create table event_indexed (
    one integer primary key constraint event_indexed_one check (one = 1),
    number integer not null
);
insert into event_indexed (one, number) values (1, 0);

-- A wave that was declared. Its members start below the session, or as roots.
create table wave ( -- backup as waves
    key integer primary key autoincrement,
    id text not null unique, -- backup
    name text not null, -- backup
    session integer references any_session (key) on delete cascade, -- restored
    concurrency integer constraint wave_concurrency check (concurrency > 0), -- backup
    stagger_ms integer constraint wave_stagger check (stagger_ms >= 0), -- backup
    parameters text not null, -- backup
    created_at integer not null -- backup
);
create index wave_session on wave (session);

-- The members to start, in order. `follows` is a list of the names of members that must have finished before.
create table wave_plan ( -- backup as wave_plans
    key integer primary key autoincrement,
    wave integer not null references wave (key) on delete cascade, -- restored
    name text not null, -- backup
    phase text, -- backup
    below text, -- backup
    follows text not null, -- backup
    run text not null, -- backup
    state text not null -- backup
        constraint wave_plan_state check (state in ('waiting', 'started', 'refused', 'skipped', 'cancelled')),
    session_id text, -- restored
    since integer not null, -- backup
    why text, -- backup
    constraint wave_plan_name unique (wave, name)
);
create index wave_plan_waiting on wave_plan (wave) where state = 'waiting';

-- The wave that a session belongs to.
create table wave_member ( -- backup as wave_members
    session integer primary key references any_session (key) on delete cascade, -- restored
    wave text not null, -- backup
    phase text -- backup
);
create index wave_member_wave on wave_member (wave, session);

-- The resource use of a run's processes, by the last sample of its runner, and the sample before for the rate.
create table run_use (
    run integer primary key references run (key) on delete cascade,
    session integer not null references any_session (key) on delete cascade,
    cpu_ms integer not null,
    cpu_ms_before integer not null,
    memory_bytes integer not null,
    memory_peak integer not null,
    processes integer not null,
    open_files integer not null,
    sampled_at integer not null,
    sampled_before integer not null
);
create index run_use_session on run_use (session);

-- The number of the last event that was read for alerts.
create table event_alerted (
    one integer primary key constraint event_alerted_one check (one = 1),
    number integer not null
);
insert into event_alerted (one, number) select 1, coalesce(max(number), 0) from event;

-- Alerts about sessions that did not end well. Each end raises one at most.
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
create index alert_due on alert (due_at) where due_at is not null;

-- Names that hooks give to agents.
create table agent_name (
    key text primary key,
    name text not null,
    created_at integer not null
);
create index agent_name_created on agent_name (created_at);

-- section: up sqlite

create virtual table event_text using fts5 (words, marks, content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 0');
create trigger event_text_gone after delete on event begin delete from event_text where rowid = old.number; end;

-- section: up postgres

create table event_text (rowid bigint primary key references event (number) on delete cascade, words tsvector not null);
create index event_text_words on event_text using gin (words);

-- section: down

-- A version without this step cannot read these.
delete from event where type = 'alert_raised';
drop table agent_name;
drop table alert;
drop table event_alerted;
drop table run_use;
drop table wave_member;
drop table wave_plan;
drop table wave;
drop table event_indexed;

-- section: down sqlite

drop trigger event_text_gone;
drop table event_text;

-- section: down postgres

drop table event_text;

-- section: losses

select count(*), 'waves, with what they have yet to start' from wave;
select count(*), 'sessions that are members of waves' from wave_member;
select count(*), 'alerts' from alert;
select count(*), 'names of agents' from agent_name;
select count(*), 'measures of what runs used' from run_use;
