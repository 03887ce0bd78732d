-- 0005_relationships
-- frozen: sqlite 81c066c4921d0cc8, postgres 0de1cddf88ae5d9f
--
-- Relationships between sessions, and the views `sessions`, `session_relationships` and `events` with the columns of the
-- relationship schema that other programs query. Each view reads one table, because a database then uses the indexes
-- of that table wherever the view stands in a join. What another table knows is looked up row by row.

-- section: up

-- One row for each pair. Triggers write that of a parent and its child, and set it aside when the child is detached.
create table relationship ( -- backup as relationships
    key integer primary key autoincrement,
    parent_id text not null references any_session (id) on delete cascade, -- backup
    child_id text not null references any_session (id) on delete cascade, -- backup
    type text not null -- backup
        constraint relationship_type check (type in ('parent/child', 'sibling', 'continuation', 'wave_member')),
    reason text -- backup
        constraint relationship_reason check (reason in (
            'subagent_delegation', 'wave_orchestration', 'task_tool', 'continuation', 'manual')),
    delegation text -- backup
        constraint relationship_delegation check (delegation in ('parallel', 'sequential', 'isolated')),
    metadata text, -- backup
    evidence text -- backup
        constraint relationship_evidence check (evidence in ('tool_response', 'declared', 'inferred')),
    confidence integer constraint relationship_confidence check (confidence between 0 and 100), -- backup
    created_at integer not null, -- backup
    completed_at integer, -- backup
    set_aside integer not null default 0 constraint relationship_set_aside check (set_aside in (0, 1)),
    constraint relationship_pair unique (parent_id, child_id),
    constraint relationship_to_another check (parent_id <> child_id)
);
create index relationship_child on relationship (child_id);
create index relationship_type on relationship (type);
create index relationship_created on relationship (created_at);
insert into relationship (parent_id, child_id, type, created_at)
select p.id, c.id, 'parent/child', c.created_at from any_session c join any_session p on p.key = c.parent;

-- The types of sent events. An index on event for this alone would cost more than any other part of storing one.
create table sent_type (
    type text primary key
);

-- The colour themes of pages, as they were sent.
create table theme (
    name text primary key,
    is_public integer not null constraint theme_is_public check (is_public in (0, 1)),
    created_at integer not null,
    body text not null
);

create index session_app on any_session (source_app);
create index session_started on any_session ((coalesce(started_at, created_at)));
create index session_ended on any_session (ended_at) where ended_at is not null;

-- `session_id` is the id of the session, `sent_at` the time that the sender gave. The body of an event with a sender's
-- time is the sender's whole message, and `answer` what a person answered to it. Stored types of reported events begin with an asterisk; the view leaves it out.
alter table event add column session_id text; -- restored
alter table event add column sent_at integer; -- backup
alter table event add column wave text; -- backup
alter table event add column answer text; -- backup
update event set session_id = coalesce(gone_id, (select s.id from any_session s where s.key = event.session));
-- Most sent events are of a session that is its own tree, for which an index by session is enough.
drop index event_tree;
create index event_of_others on event (tree, number) where session is null or session <> tree;
create index event_of on event (session_id, number);
create index event_sent on event ((coalesce(sent_at, at)), sent_at);
create index event_wave on event (wave, (coalesce(sent_at, at))) where wave is not null;

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

-- section: up sqlite

create view events as
select
    e.number as id,
    coalesce(case when e.sent_at is null then (select s.source_app from any_session s where s.key = e.session)
        else json_extract(e.body, '$.source_app') end, '') as source_app,
    e.session_id,
    case when substr(e.type, 1, 1) = '*' then substr(e.type, 2) else e.type end as hook_event_type,
    case when e.sent_at is null then e.body else json_extract(e.body, '$.payload') end as payload,
    case when e.sent_at is not null then json_extract(e.body, '$.chat') end as chat,
    case when e.sent_at is not null then json_extract(e.body, '$.summary') end as summary,
    coalesce(e.sent_at, e.at) as timestamp,
    (select p.id from any_session s join any_session p on p.key = s.parent where s.key = e.session) as parent_session_id,
    (select s.depth from any_session s where s.key = e.session) as session_depth,
    e.wave as wave_id,
    case when e.sent_at is not null then json_extract(e.body, '$.delegation_context') end as delegation_context
from event e
where exists (select 1 from session s where s.key = e.session);

create trigger relationship_born after insert on any_session when new.parent is not null begin
    insert into relationship (parent_id, child_id, type, created_at)
    select p.id, new.id, 'parent/child', new.created_at from any_session p where p.key = new.parent; end;
create trigger relationship_moved after update of parent on any_session when new.parent is not old.parent begin
    update relationship set set_aside = 1
    where child_id = new.id and type in ('parent/child', 'wave_member'); insert into relationship (
        parent_id, child_id, type, created_at)
    select p.id, new.id, 'parent/child', new.created_at from any_session p where p.key = new.parent
    on conflict (parent_id, child_id) do update set set_aside = 0, type = excluded.type; end;

-- section: up postgres

-- A field of a JSON object as text. PostgreSQL cannot read escapes of NUL and of half a surrogate pair anywhere in it.
create function json_part(body text, field text) returns text language plpgsql immutable as $$ begin
    return body::json ->> field; exception when untranslatable_character or invalid_text_representation then
    return regexp_replace(body, '\\u(0000|[dD][89a-fA-F][0-9a-fA-F]{2})', '\\ufffd', 'g')::json ->> field; end $$;

create view events as
select
    e.number as id,
    coalesce(case when e.sent_at is null then (select s.source_app from any_session s where s.key = e.session)
        else json_part(e.body, 'source_app') end, '') as source_app,
    e.session_id,
    case when substr(e.type, 1, 1) = '*' then substr(e.type, 2) else e.type end as hook_event_type,
    case when e.sent_at is null then e.body else json_part(e.body, 'payload') end as payload,
    case when e.sent_at is not null then json_part(e.body, 'chat') end as chat,
    case when e.sent_at is not null then json_part(e.body, 'summary') end as summary,
    coalesce(e.sent_at, e.at) as timestamp,
    (select p.id from any_session s join any_session p on p.key = s.parent where s.key = e.session) as parent_session_id,
    (select s.depth from any_session s where s.key = e.session) as session_depth,
    e.wave as wave_id,
    case when e.sent_at is not null then json_part(e.body, 'delegation_context') end as delegation_context
from event e
where exists (select 1 from session s where s.key = e.session);

create function relate_parent(of_child bigint) returns void language sql as $$
    insert into relationship (parent_id, child_id, type, created_at)
    select p.id, c.id, 'parent/child', c.created_at
    from any_session c join any_session p on p.key = c.parent where c.key = of_child
    on conflict (parent_id, child_id) do update set set_aside = 0, type = excluded.type $$;
create function relationship_born() returns trigger language plpgsql as $$ begin
    perform relate_parent(new.key); return null; end $$;
create trigger relationship_born after insert on any_session for each row
when (new.parent is not null) execute function relationship_born();
create function relationship_moved() returns trigger language plpgsql as $$ begin
    update relationship set set_aside = 1
    where child_id = new.id and type in ('parent/child', 'wave_member'); perform relate_parent(new.key); return null; end $$;
create trigger relationship_moved after update of parent on any_session for each row
when (new.parent is distinct from old.parent) execute function relationship_moved();

-- section: down

-- A version without this step cannot read these.
delete from event where type = 'event_answered';
drop view session_relationships;
drop view sessions;
drop index event_wave;
drop index event_sent;
drop table theme;
drop table sent_type;
drop index event_of;
drop index event_of_others;
create index event_tree on event (tree, number);
alter table event drop column answer;
alter table event drop column wave;
alter table event drop column sent_at;
alter table event drop column session_id;
drop index session_ended;
drop index session_started;
drop index session_app;
drop table relationship;

-- section: down sqlite

drop trigger relationship_moved;
drop trigger relationship_born;
drop view events;

-- section: down postgres

drop trigger relationship_moved on any_session;
drop function relationship_moved();
drop trigger relationship_born on any_session;
drop function relationship_born();
drop function relate_parent(bigint);
drop view events;
drop function json_part(text, text);

-- section: losses

select count(*), 'descriptions of how sessions are related' from relationship where evidence is not null or reason is not null;
select count(*), 'times that senders gave to their events' from event where sent_at is not null;
select count(*), 'answers of people to events' from event where answer is not null;
select count(*), 'color themes' from theme;
