-- 0012_bounds
-- frozen: sqlite af41d13827aba569, postgres b28f0f1b702f4885
--
-- What keeps work bounded: claims pass over trees that may not run, conditions of the relationship schema have indexes, a monitor reads
-- tallies. A database knows its directory of backups, and a token ends with the token with which it was made.

-- section: up

-- The id of the directory of backups and preserved work, which the directory has, too. Empty until a coordinator on
-- PostgreSQL starts.
create table backup_directory (
    one integer primary key constraint backup_directory_one check (one = 1),
    id text not null
);

-- The session because of which no runner may claim the run now, as its budget is spent or it is frozen; 0 if there is
-- none. Only a hint: a claim looks again at each run that is not set aside. The lanes are of those.
alter table run add column aside integer not null default 0;
drop index run_lane;
create index run_lane on run (
    state,
    aside,
    (coalesce('=' || replace(demand_hostname, '/', '//'), '') || '/.'
        || coalesce('=' || replace(demand_project_dir, '/', '//'), '') || '/.'
        || coalesce('=' || replace(demand_executor_profile, '/', '//'), '') || '/.'
        || coalesce('=' || replace(demand_executor_type, '/', '//'), '') || '/.'
        || coalesce('=' || replace(demand_tags, '/', '//'), '') || '/.'
        || coalesce('=' || replace(account, '/', '//'), '')),
    key) where state = 'queued';
drop index run_busy;
create index run_busy on run (tree, state, aside) where ended_at is null;

alter table token rename to token_before;
create table token (
    id text not null primary key,
    role text not null constraint token_role check (role in ('operator', 'viewer', 'runner', 'ingest')),
    session integer references any_session (key) on delete cascade,
    label text,
    made_at integer not null,
    until_at integer,
    -- Empty for a token that was made with one without a record, such as that of the data directory.
    maker text references token (id) on delete cascade,
    origin text not null constraint token_origin check (origin in ('created', 'signed_in')),
    -- The name of the hooks that have the token, which confines it to the sessions that they told of first.
    source text,
    constraint token_source_reports check (source is null or role = 'ingest')
);
-- A browser's token had an empty maker if its link was made with the token of the data directory; only browsers' had a maker.
insert into token (id, role, session, label, made_at, until_at, maker, origin)
select b.id, b.role, b.session, b.label, b.made_at, b.until_at, nullif(b.maker, ''),
    case when b.maker is null then 'created' else 'signed_in' end
from token_before b
where coalesce(b.maker, '') = '' or exists (select 1 from token_before m where m.id = b.maker);
drop table token_before;
create index token_session on token (session) where session is not null;
create index token_maker on token (maker) where maker is not null;

-- What people have set on sessions, and agents may not lift.
create table people_only ( -- backup as people_only
    key integer primary key autoincrement,
    session integer not null references any_session (key) on delete cascade, -- restored
    what text not null -- backup
        constraint people_only_what check (what in ('freeze', 'budget')),
    unique (session, what)
);

-- What a wave of a person sets for its members, only people may lift.
alter table wave add column by_person integer; -- backup

-- The hooks that told of a session first.
create table session_source (
    session integer primary key references any_session (key) on delete cascade,
    source text not null
);

-- A pair never ends before it began. Its child may: events come late with their senders' times.
drop view session_relationships;
create view session_relationships as
select
    r.key as id,
    r.parent_id as parent_session_id,
    r.child_id as child_session_id,
    r.type as relationship_type,
    r.reason as spawn_reason,
    r.delegation as delegation_type,
    r.metadata as spawn_metadata,
    r.created_at,
    case when coalesce(r.completed_at, (select c.ended_at from any_session c where c.id = r.child_id)) < r.created_at
        then r.created_at
        else coalesce(r.completed_at, (select c.ended_at from any_session c where c.id = r.child_id)) end as completed_at,
    (select c.depth from any_session c where c.id = r.child_id) as depth_level,
    (select c.path from any_session c join any_session p on p.key = c.parent
        where c.id = r.child_id and p.id = r.parent_id) as session_path
from relationship r
where r.set_aside = 0
and exists (select 1 from session c where c.id = r.child_id)
and exists (select 1 from session p where p.id = r.parent_id);

-- The id of the parent, which only triggers write: an index cannot look it up.
alter table any_session add column parent_id text default null;
update any_session set parent_id = (select p.id from any_session p where p.key = any_session.parent)
where parent is not null;
create index session_parent_id on any_session (parent_id) where parent_id is not null;
-- These two and `sessions` spell the expressions alike.
create index session_shown_app on any_session ((coalesce(source_app, '')));
create index session_status on any_session ((case state
        when 'finished' then 'completed'
        when 'failed' then 'failed'
        when 'lost' then 'failed'
        when 'timed_out' then 'timeout'
        when 'stopped' then 'cancelled'
        else 'active' end));

-- Without its parent, an index by type reads all pairs for the children of one session.
drop index relationship_type;
create index relationship_type on relationship (type, parent_id);

-- The place of the session, which only the triggers of an index write that was added with `coppice db index`.
alter table event add column parent_id text default null;
alter table event add column depth integer default null;

drop view sessions;
create view sessions as
select
    s.id as session_id,
    coalesce(s.source_app, '') as source_app,
    s.type as session_type,
    s.parent_id as parent_session_id,
    coalesce(s.started_at, s.created_at) as start_time,
    s.ended_at as end_time,
    s.ended_at - coalesce(s.started_at, s.created_at) as duration_ms,
    case s.state
        when 'finished' then 'completed'
        when 'failed' then 'failed'
        when 'lost' then 'failed'
        when 'timed_out' then 'timeout'
        when 'stopped' then 'cancelled'
        else 'active' end as status,
    (select count(*) from session c where c.parent = s.key) as agent_count,
    coalesce((select u.own_tokens from spent u where u.session = s.key), 0) as total_tokens,
    s.metadata as session_metadata,
    s.created_at,
    s.since as updated_at
from any_session s
where s.removal is null or not exists (
    select 1 from removal m where m.key = s.removal and m.out_of_sight = 1);

-- What a monitor reads: how many sessions, runs and callbacks are in each state, and alerts of each kind. Only triggers
-- write it. Sessions that a removal covers are not counted.
create table tally (
    kind text not null constraint tally_kind check (kind in ('session', 'run', 'callback', 'alert')),
    word text not null,
    total integer not null,
    primary key (kind, word)
);
insert into tally (kind, word, total)
select 'session', state, count(*) from any_session where removal is null group by state
union all select 'run', state, count(*) from run group by state
union all select 'callback', state, count(*) from callback group by state
union all select 'alert', kind, count(*) from alert group by kind;

-- The uses of each model. Only triggers write it.
create table model_tally (
    model text primary key,
    calls integer not null,
    input integer not null,
    output integer not null,
    cache_read integer not null,
    cache_write integer not null,
    cache_write_hour integer not null,
    cost_micros integer not null,
    -- The tokens whose cost is not known.
    unpriced integer not null
);
insert into model_tally (
    model, calls, input, output, cache_read, cache_write, cache_write_hour, cost_micros, unpriced)
select model, count(*), sum(input), sum(output), sum(cache_read), sum(cache_write), sum(cache_write_hour),
    coalesce(sum(cost_micros), 0), sum(case when cost_micros is null
        then input + output + cache_read + cache_write + cache_write_hour else 0 end)
from model_use group by model;

-- section: up sqlite

create trigger parent_named after insert on any_session when new.parent is not null begin
    update any_session set parent_id = (select p.id from any_session p where p.key = new.parent) where key = new.key; end;
create trigger parent_renamed after update of parent on any_session when new.parent is not old.parent begin
    update any_session set parent_id = (select p.id from any_session p where p.key = new.parent) where key = new.key; end;

create trigger session_tallied after insert on any_session when new.removal is null begin
    insert into tally (kind, word, total) values ('session', new.state, 1)
    on conflict (kind, word) do update set total = total + 1; end;
create trigger session_untallied after delete on any_session when old.removal is null begin
    update tally set total = total - 1 where kind = 'session' and word = old.state; end;
create trigger session_retallied after update of state, removal on any_session
when new.state <> old.state or (new.removal is null) <> (old.removal is null) begin
    update tally set total = total - 1 where kind = 'session' and word = old.state and old.removal is null; insert
    into tally (kind, word, total) select 'session', new.state, 1 where new.removal is null
    on conflict (kind, word) do update set total = total + 1; end;
create trigger run_tallied after insert on run begin
    insert into tally (kind, word, total) values ('run', new.state, 1)
    on conflict (kind, word) do update set total = total + 1; end;
create trigger run_untallied after delete on run begin
    update tally set total = total - 1 where kind = 'run' and word = old.state; end;
create trigger run_retallied after update of state on run
when new.state <> old.state begin
    update tally set total = total - 1 where kind = 'run' and word = old.state; insert
    into tally (kind, word, total) select 'run', new.state, 1 where true
    on conflict (kind, word) do update set total = total + 1; end;
create trigger callback_tallied after insert on callback begin
    insert into tally (kind, word, total) values ('callback', new.state, 1)
    on conflict (kind, word) do update set total = total + 1; end;
create trigger callback_untallied after delete on callback begin
    update tally set total = total - 1 where kind = 'callback' and word = old.state; end;
create trigger callback_retallied after update of state on callback
when new.state <> old.state begin
    update tally set total = total - 1 where kind = 'callback' and word = old.state; insert
    into tally (kind, word, total) select 'callback', new.state, 1 where true
    on conflict (kind, word) do update set total = total + 1; end;
create trigger alert_tallied after insert on alert begin
    insert into tally (kind, word, total) values ('alert', new.kind, 1)
    on conflict (kind, word) do update set total = total + 1; end;
create trigger alert_untallied after delete on alert begin
    update tally set total = total - 1 where kind = 'alert' and word = old.kind; end;
create trigger use_tallied after insert on model_use begin
    insert into model_tally (
        model, calls, input, output, cache_read, cache_write, cache_write_hour, cost_micros, unpriced)
    values (new.model, 1, new.input, new.output, new.cache_read, new.cache_write,
        new.cache_write_hour, coalesce(new.cost_micros, 0),
        case when new.cost_micros is null
            then new.input + new.output + new.cache_read + new.cache_write + new.cache_write_hour else 0 end)
    on conflict (model) do update set
        calls = calls + excluded.calls, input = input + excluded.input, output = output + excluded.output,
        cache_read = cache_read + excluded.cache_read, cache_write = cache_write + excluded.cache_write,
        cache_write_hour = cache_write_hour + excluded.cache_write_hour,
        cost_micros = cost_micros + excluded.cost_micros, unpriced = unpriced + excluded.unpriced; end;
create trigger use_untallied after delete on model_use begin
    insert into model_tally (
        model, calls, input, output, cache_read, cache_write, cache_write_hour, cost_micros, unpriced)
    values (old.model, -1, -old.input, -old.output, -old.cache_read, -old.cache_write,
        -old.cache_write_hour, -coalesce(old.cost_micros, 0),
        case when old.cost_micros is null
            then -(old.input + old.output + old.cache_read + old.cache_write + old.cache_write_hour) else 0 end)
    on conflict (model) do update set
        calls = calls + excluded.calls, input = input + excluded.input, output = output + excluded.output,
        cache_read = cache_read + excluded.cache_read, cache_write = cache_write + excluded.cache_write,
        cache_write_hour = cache_write_hour + excluded.cache_write_hour,
        cost_micros = cost_micros + excluded.cost_micros, unpriced = unpriced + excluded.unpriced; end;
create trigger use_retallied after update on model_use begin
    insert into model_tally (
        model, calls, input, output, cache_read, cache_write, cache_write_hour, cost_micros, unpriced)
    values (old.model, -1, -old.input, -old.output, -old.cache_read, -old.cache_write,
        -old.cache_write_hour, -coalesce(old.cost_micros, 0),
        case when old.cost_micros is null
            then -(old.input + old.output + old.cache_read + old.cache_write + old.cache_write_hour) else 0 end)
    on conflict (model) do update set
        calls = calls + excluded.calls, input = input + excluded.input, output = output + excluded.output,
        cache_read = cache_read + excluded.cache_read, cache_write = cache_write + excluded.cache_write,
        cache_write_hour = cache_write_hour + excluded.cache_write_hour,
        cost_micros = cost_micros + excluded.cost_micros, unpriced = unpriced + excluded.unpriced; insert into model_tally (
        model, calls, input, output, cache_read, cache_write, cache_write_hour, cost_micros, unpriced)
    values (new.model, 1, new.input, new.output, new.cache_read, new.cache_write,
        new.cache_write_hour, coalesce(new.cost_micros, 0),
        case when new.cost_micros is null
            then new.input + new.output + new.cache_read + new.cache_write + new.cache_write_hour else 0 end)
    on conflict (model) do update set
        calls = calls + excluded.calls, input = input + excluded.input, output = output + excluded.output,
        cache_read = cache_read + excluded.cache_read, cache_write = cache_write + excluded.cache_write,
        cache_write_hour = cache_write_hour + excluded.cache_write_hour,
        cost_micros = cost_micros + excluded.cost_micros, unpriced = unpriced + excluded.unpriced; end;

-- section: up postgres

create function parent_named() returns trigger language plpgsql as $$ begin
    new.parent_id := (select p.id from any_session p where p.key = new.parent); return new; end $$;
create trigger parent_named before insert or update of parent on any_session for each row
execute function parent_named();

-- Only one transaction writes at a time, so a row that is not found can be inserted.
create function count_tally(of_kind text, of_word text, more bigint) returns void language plpgsql as $$ begin
    update tally set total = total + more where kind = of_kind and word = of_word; if not found then
        insert into tally (kind, word, total) values (of_kind, of_word, more); end if; end $$;
create function session_tallied() returns trigger language plpgsql as $$ begin
    perform count_tally('session', new.state, 1); return null; end $$;
create trigger session_tallied after insert on any_session for each row
when (new.removal is null) execute function session_tallied();
create function session_untallied() returns trigger language plpgsql as $$ begin
    perform count_tally('session', state, -count(*)) from gone where removal is null group by state; return null; end $$;
create trigger session_untallied after delete on any_session referencing old table as gone
for each statement execute function session_untallied();
create function session_retallied() returns trigger language plpgsql as $$ begin
    if old.removal is null then perform count_tally('session', old.state, -1); end if; if new.removal is null then
        perform count_tally('session', new.state, 1); end if; return null; end $$;
create trigger session_retallied after update of state, removal on any_session for each row
when (new.state <> old.state or (new.removal is null) <> (old.removal is null)) execute function session_retallied();
create function run_tallied() returns trigger language plpgsql as $$ begin
    perform count_tally('run', new.state, 1); return null; end $$;
create trigger run_tallied after insert on run for each row execute function run_tallied();
create function run_untallied() returns trigger language plpgsql as $$ begin
    perform count_tally('run', state, -count(*)) from gone group by state; return null; end $$;
create trigger run_untallied after delete on run referencing old table as gone
for each statement execute function run_untallied();
create function run_retallied() returns trigger language plpgsql as $$ begin
    perform count_tally('run', old.state, -1); perform count_tally('run', new.state, 1); return null; end $$;
create trigger run_retallied after update of state on run for each row
when (new.state <> old.state) execute function run_retallied();
create function callback_tallied() returns trigger language plpgsql as $$ begin
    perform count_tally('callback', new.state, 1); return null; end $$;
create trigger callback_tallied after insert on callback for each row execute function callback_tallied();
create function callback_untallied() returns trigger language plpgsql as $$ begin
    perform count_tally('callback', state, -count(*)) from gone group by state; return null; end $$;
create trigger callback_untallied after delete on callback referencing old table as gone
for each statement execute function callback_untallied();
create function callback_retallied() returns trigger language plpgsql as $$ begin
    perform count_tally('callback', old.state, -1); perform count_tally('callback', new.state, 1); return null; end $$;
create trigger callback_retallied after update of state on callback for each row
when (new.state <> old.state) execute function callback_retallied();
create function alert_tallied() returns trigger language plpgsql as $$ begin
    perform count_tally('alert', new.kind, 1); return null; end $$;
create trigger alert_tallied after insert on alert for each row execute function alert_tallied();
create function alert_untallied() returns trigger language plpgsql as $$ begin
    perform count_tally('alert', kind, -count(*)) from gone group by kind; return null; end $$;
create trigger alert_untallied after delete on alert referencing old table as gone
for each statement execute function alert_untallied();
create function count_use(u model_use, sign bigint) returns void language plpgsql as $$ begin
    insert into model_tally as t (
        model, calls, input, output, cache_read, cache_write, cache_write_hour, cost_micros, unpriced)
    values (u.model, sign, sign * u.input, sign * u.output, sign * u.cache_read, sign * u.cache_write,
        sign * u.cache_write_hour, sign * coalesce(u.cost_micros, 0), case when u.cost_micros is null
            then sign * (u.input + u.output + u.cache_read + u.cache_write + u.cache_write_hour) else 0 end)
    on conflict (model) do update set
        calls = t.calls + excluded.calls, input = t.input + excluded.input, output = t.output + excluded.output,
        cache_read = t.cache_read + excluded.cache_read, cache_write = t.cache_write + excluded.cache_write,
        cache_write_hour = t.cache_write_hour + excluded.cache_write_hour,
        cost_micros = t.cost_micros + excluded.cost_micros, unpriced = t.unpriced + excluded.unpriced; end $$;
create function use_tallied() returns trigger language plpgsql as $$ begin
    if tg_op <> 'INSERT' then perform count_use(old, -1); end if; if tg_op <> 'DELETE' then
        perform count_use(new, 1); end if; return null; end $$;
create trigger use_tallied after insert or update or delete on model_use for each row execute function use_tallied();

-- section: down

drop table model_tally;
drop table tally;

drop view sessions;
create view sessions as
select
    s.id as session_id,
    coalesce(s.source_app, '') as source_app,
    s.type as session_type,
    (select p.id from any_session p where p.key = s.parent) as parent_session_id,
    coalesce(s.started_at, s.created_at) as start_time,
    s.ended_at as end_time,
    s.ended_at - coalesce(s.started_at, s.created_at) as duration_ms,
    case s.state
        when 'finished' then 'completed'
        when 'failed' then 'failed'
        when 'lost' then 'failed'
        when 'timed_out' then 'timeout'
        when 'stopped' then 'cancelled'
        else 'active' end as status,
    (select count(*) from session c where c.parent = s.key) as agent_count,
    coalesce((select u.own_tokens from spent u where u.session = s.key), 0) as total_tokens,
    s.metadata as session_metadata,
    s.created_at,
    s.since as updated_at
from any_session s
where s.removal is null or not exists (
    select 1 from removal m where m.key = s.removal and m.out_of_sight = 1);
alter table event drop column depth;
alter table event drop column parent_id;
drop index relationship_type;
create index relationship_type on relationship (type);
drop index session_status;
drop index session_shown_app;
drop index session_parent_id;
alter table any_session drop column parent_id;

drop view session_relationships;
create view session_relationships as
select
    r.key as id,
    r.parent_id as parent_session_id,
    r.child_id as child_session_id,
    r.type as relationship_type,
    r.reason as spawn_reason,
    r.delegation as delegation_type,
    r.metadata as spawn_metadata,
    r.created_at,
    coalesce(r.completed_at, (select c.ended_at from any_session c where c.id = r.child_id)) as completed_at,
    (select c.depth from any_session c where c.id = r.child_id) as depth_level,
    (select c.path from any_session c join any_session p on p.key = c.parent
        where c.id = r.child_id and p.id = r.parent_id) as session_path
from relationship r
where r.set_aside = 0
and exists (select 1 from session c where c.id = r.child_id)
and exists (select 1 from session p where p.id = r.parent_id);

alter table wave drop column by_person;
drop table people_only;
drop table session_source;
alter table token rename to token_after;
create table token (
    id text not null primary key,
    role text not null constraint token_role check (role in ('operator', 'viewer', 'runner', 'ingest')),
    session integer references any_session (key) on delete cascade,
    label text,
    made_at integer not null,
    until_at integer,
    maker text
);
insert into token (id, role, session, label, made_at, until_at, maker)
select id, role, session, label, made_at, until_at, case when origin = 'signed_in' then coalesce(maker, '') end
from token_after;
drop table token_after;
create index token_session on token (session) where session is not null;

drop index run_busy;
create index run_busy on run (tree) where ended_at is null;
drop index run_lane;
create index run_lane on run (
    state,
    (coalesce('=' || replace(demand_hostname, '/', '//'), '') || '/.'
        || coalesce('=' || replace(demand_project_dir, '/', '//'), '') || '/.'
        || coalesce('=' || replace(demand_executor_profile, '/', '//'), '') || '/.'
        || coalesce('=' || replace(demand_executor_type, '/', '//'), '') || '/.'
        || coalesce('=' || replace(demand_tags, '/', '//'), '') || '/.'
        || coalesce('=' || replace(account, '/', '//'), '')),
    key) where state = 'queued';
alter table run drop column aside;
drop table backup_directory;

-- section: down sqlite

drop trigger session_tallied;
drop trigger session_untallied;
drop trigger session_retallied;
drop trigger run_tallied;
drop trigger run_untallied;
drop trigger run_retallied;
drop trigger callback_tallied;
drop trigger callback_untallied;
drop trigger callback_retallied;
drop trigger alert_tallied;
drop trigger alert_untallied;
drop trigger use_tallied;
drop trigger use_untallied;
drop trigger use_retallied;
drop trigger parent_renamed;
drop trigger parent_named;

-- section: down postgres

drop trigger session_tallied on any_session;
drop function session_tallied();
drop trigger session_untallied on any_session;
drop function session_untallied();
drop trigger session_retallied on any_session;
drop function session_retallied();
drop trigger run_tallied on run;
drop function run_tallied();
drop trigger run_untallied on run;
drop function run_untallied();
drop trigger run_retallied on run;
drop function run_retallied();
drop trigger callback_tallied on callback;
drop function callback_tallied();
drop trigger callback_untallied on callback;
drop function callback_untallied();
drop trigger callback_retallied on callback;
drop function callback_retallied();
drop trigger alert_tallied on alert;
drop function alert_tallied();
drop trigger alert_untallied on alert;
drop function alert_untallied();
drop trigger use_tallied on model_use;
drop function use_tallied();
drop function count_use(model_use, bigint);
drop function count_tally(text, text, bigint);
drop trigger parent_named on any_session;
drop function parent_named();

-- section: losses

select count(*), 'tokens, which would outlive the tokens with which they were made' from token where origin = 'created' and maker is not null;
select count(*), 'tokens of hooks, which would be confined no longer' from token where source is not null;
select count(*), 'sessions that are known to come from hooks' from session_source;
select count(*), 'freezes and budgets of people, which agents could lift' from people_only;
