-- One removal of a session and what hangs below it.
create table removal (
    key integer primary key autoincrement,
    id text not null unique,
    session integer references session (key) on delete set null,
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
create index removal_open on removal (key) where ended_at is null;
create index removal_session on removal (session);

-- Who belongs to it, as it was found; it stays when the session has gone.
create table removal_member (
    key integer primary key autoincrement,
    removal integer not null references removal (key) on delete cascade,
    session_id text not null,
    name text not null,
    parent_id text,
    state text not null,
    tree integer not null,
    trail text not null,
    runs integer not null,
    told integer not null default 0
);
create index removal_member_told on removal_member (removal, told, key);
create index removal_member_session on removal_member (session_id, key);
create index removal_member_name on removal_member (name, key);

-- Children that were made roots, in the order in which that was done.
create table removal_detached (
    removal integer not null references removal (key) on delete cascade,
    place integer not null,
    session_id text not null,
    primary key (removal, place)
);

-- Everyone, also those out of sight; who reads sees them through the view.
alter table session rename to any_session;
-- The removal that has enlisted it.
alter table any_session add column removal integer;
-- Its own name, while it is out of sight and someone else has taken that.
alter table any_session add column lent_name text;
create index session_removal on any_session (removal, trail) where removal is not null;
create index session_lent on any_session (lent_name) where lent_name is not null;
create view session as
select s.* from any_session s
where s.removal is null or not exists (
    select 1 from removal m where m.key = s.removal and m.out_of_sight = 1);

-- An event about someone who is gone hangs on nobody.
create table event_anew (
    number integer primary key autoincrement,
    session integer references any_session (key) on delete cascade,
    tree integer not null,
    run text,
    type text not null,
    at integer not null,
    body text not null,
    gone_id text,
    gone_trail text,
    check ((session is null) = (gone_id is not null)),
    check ((session is null) = (gone_trail is not null))
);
insert into event_anew (number, session, tree, run, type, at, body)
select number, session, tree, run, type, at, body from event;
delete from sqlite_sequence where name = 'event_anew';
insert into sqlite_sequence (name, seq) select 'event_anew', seq from sqlite_sequence where name = 'event';
drop table event;
alter table event_anew rename to event;
create index event_session on event (session, number);
create index event_tree on event (tree, number);

-- What is owed to someone who is gone, to be settled.
create index callback_orphaned on callback (session_id) where session is null and state in ('owed', 'held');
