-- Removals keep what is unsaved, and write what goes into a file. SQLite cannot change a check, so
-- the tables are made anew; nothing points to them while they are.
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
    work text not null check (work in ('preserve', 'discard')),
    backup text not null check (backup in ('yes', 'no')),
    ignored text not null check (ignored in ('list', 'keep', 'skip')),
    directories text not null check (directories in ('made', 'all')),
    -- What was seen of the unsaved work when the plan was confirmed.
    work_seen text,
    backup_file text,
    backup_sha256 text,
    backup_size integer,
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
        state in ('fencing', 'quiescing', 'preserving', 'backing_up', 'detaching', 'hiding', 'hidden', 'restoring', 'undoing', 'taking_back', 'purging', 'undone', 'taken_back', 'purged')),
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
    check ((out_of_sight = 1) = (state in ('hiding', 'hidden', 'restoring', 'purging', 'purged')))
);
insert into removal_anew (key, id, session, top_id, top_name, parent_id, children, running, critical, purge, unreachable, deadline_ms, asked_by, reason, confirmed, digest, sessions, runs, events, event_bytes, state, since, why, out_of_sight, round, began_at, hidden_at, undo_until, ended_at, work, backup, ignored, directories)
select key, id, session, top_id, top_name, parent_id, children, running, critical, purge, unreachable, deadline_ms, asked_by, reason, confirmed, digest, sessions, runs, events, event_bytes, state, since, why, out_of_sight, round, began_at, hidden_at, undo_until, ended_at, 'preserve', 'no', 'list', 'made' from removal;
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

-- Where sessions have worked, and where the output of their runs lies.
create table workplace (
    key integer primary key autoincrement,
    session integer not null references any_session (key) on delete cascade,
    host text not null,
    directory text not null,
    made text not null check (made in ('by_coppice', 'by_others')),
    outputs text not null,
    unique (session, host, directory, outputs)
);
create index workplace_directory on workplace (host, directory);

-- What runners are asked to do with directories; for a look there is no removal.
create table errand (
    key integer primary key autoincrement,
    removal integer references removal (key) on delete cascade,
    kind text not null check (kind in ('look', 'keep', 'tidy', 'wipe')),
    host text not null,
    ignored text not null,
    directories text not null,
    at integer not null,
    asked_at integer not null,
    runner text,
    taken_at integer,
    ended_at integer,
    failure text,
    given_up integer not null default 0
);
create index errand_open on errand (host, key) where ended_at is null;
create index errand_removal on errand (removal, kind, key);
create index errand_look on errand (asked_at) where kind = 'look';

create table errand_place (
    errand integer not null references errand (key) on delete cascade,
    place integer not null,
    workplace integer not null,
    directory text not null,
    made text not null,
    session_id text not null,
    session_name text not null,
    outputs text not null,
    primary key (errand, place)
);
create table errand_run (
    errand integer not null references errand (key) on delete cascade,
    place integer not null,
    run_id text not null,
    primary key (errand, place)
);

-- What was found or kept.
create table work_item (
    key integer primary key autoincrement,
    errand integer not null references errand (key) on delete cascade,
    host text not null,
    directory text not null,
    kind text not null check (kind in ('git', 'plain', 'output')),
    sessions text not null,
    uncommitted integer not null,
    untracked integer not null,
    stashed integer not null,
    unpushed integer not null,
    ignored integer not null,
    bytes integer not null,
    fingerprint text not null,
    tip text,
    branch text,
    kept_ref text,
    kept_file text,
    kept_sha256 text,
    kept_size integer,
    busy text not null,
    notes text not null
);
create index work_item_errand on work_item (errand, key);
