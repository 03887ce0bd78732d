-- 0012_bounds
--
-- What keeps work bounded: claims pass over trees that may not run, a database knows its directory of backups, and a token
-- ends with the token with which it was made.

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
    origin text not null constraint token_origin check (origin in ('created', 'signed_in'))
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

-- section: up sqlite

create trigger parent_named after insert on any_session when new.parent is not null begin
    update any_session set parent_id = (select p.id from any_session p where p.key = new.parent) where key = new.key; end;
create trigger parent_renamed after update of parent on any_session when new.parent is not old.parent begin
    update any_session set parent_id = (select p.id from any_session p where p.key = new.parent) where key = new.key; end;

-- section: up postgres

create function parent_named() returns trigger language plpgsql as $$ begin
    new.parent_id := (select p.id from any_session p where p.key = new.parent); return new; end $$;
create trigger parent_named before insert or update of parent on any_session for each row
execute function parent_named();

-- section: down

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

drop trigger parent_renamed;
drop trigger parent_named;

-- section: down postgres

drop trigger parent_named on any_session;
drop function parent_named();

-- section: losses

select count(*), 'tokens, which would outlive the tokens with which they were made' from token where origin = 'created' and maker is not null;
