drop table work_item;
drop table errand_run;
drop table errand_place;
drop table errand;
drop table workplace;
drop view session;
create table removal_anew (
    key integer primary key autoincrement,
    id text not null unique,
    session integer references any_session (key) on delete set null,
    top_id text not null,
    top_name text not null,
    parent_id text,
    children text not null check (children in ('cascade', 'detach', 'refuse')),
    running text not null check (running in ('refuse', 'stop')),
    critical text not null check (critical in ('refuse', 'override')),
    purge text not null check (purge in ('later', 'now')),
    unreachable text not null check (unreachable in ('wait', 'abandon')),
    deadline_ms integer not null,
    asked_by text not null,
    reason text,
    confirmed integer not null check (confirmed in (0, 1)),
    digest text not null,
    -- What it takes, as it was counted for the plan.
    sessions integer not null,
    runs integer not null,
    events integer not null,
    event_bytes integer not null,
    state text not null check (
        state in ('fencing', 'quiescing', 'detaching', 'hiding', 'hidden', 'undoing', 'taking_back', 'purging', 'undone', 'taken_back', 'purged')),
    since integer not null,
    why text,
    -- The one row that is flipped when a whole tree goes out of sight or comes back.
    out_of_sight integer not null check (out_of_sight in (0, 1)),
    -- Counts the times everyone was told; a member with a lesser number is still to be told.
    round integer not null default 0,
    began_at integer not null,
    hidden_at integer,
    undo_until integer,
    ended_at integer,
    check ((ended_at is not null) = (state in ('undone', 'taken_back', 'purged'))),
    check ((out_of_sight = 1) = (state in ('hiding', 'hidden', 'purging', 'purged')))
);
insert into removal_anew (key, id, session, top_id, top_name, parent_id, children, running, critical, purge, unreachable, deadline_ms, asked_by, reason, confirmed, digest, sessions, runs, events, event_bytes, state, since, why, out_of_sight, round, began_at, hidden_at, undo_until, ended_at)
select key, id, session, top_id, top_name, parent_id, children, running, critical, purge, unreachable, deadline_ms, asked_by, reason, confirmed, digest, sessions, runs, events, event_bytes, case when state in ('preserving', 'backing_up') then 'quiescing' when state = 'restoring' then 'purging' else state end,
    since, case when state in ('preserving', 'backing_up') then null else why end, out_of_sight, round, began_at, hidden_at, undo_until, ended_at from removal;
create table removal_member_anew (
    key integer primary key autoincrement,
    removal integer not null references removal_anew (key) on delete cascade,
    session_id text not null,
    name text not null,
    parent_id text,
    state text not null,
    tree integer not null,
    trail text not null,
    runs integer not null,
    told integer not null default 0
);
insert into removal_member_anew select * from removal_member;
create table removal_detached_anew (
    removal integer not null references removal_anew (key) on delete cascade,
    place integer not null,
    session_id text not null,
    primary key (removal, place)
);
insert into removal_detached_anew select * from removal_detached;
drop table removal_detached;
drop table removal_member;
drop table removal;
alter table removal_anew rename to removal;
alter table removal_member_anew rename to removal_member;
alter table removal_detached_anew rename to removal_detached;
create index removal_open on removal (key) where ended_at is null;
create index removal_session on removal (session);
create index removal_member_told on removal_member (removal, told, key);
create index removal_member_session on removal_member (session_id, key);
create index removal_member_name on removal_member (name, key);
create view session as
select s.* from any_session s
where s.removal is null or not exists (
    select 1 from removal m where m.key = s.removal and m.out_of_sight = 1);
