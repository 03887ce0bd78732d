create table callback (
    key integer primary key autoincrement,
    id text not null unique,
    -- Whom it wakes. The session may go, and the note of what it was owed stays.
    session integer references session (key) on delete set null,
    session_id text not null,
    tree integer not null,
    about text not null check (about in ('child_end', 'join_over', 'message')),
    child_id text,
    run text,
    join_id text,
    body text,
    sender text,
    when_busy text check (when_busy in ('reject', 'queue', 'interrupt')),
    state text not null check (
        state in ('owed', 'held', 'carried', 'delivered', 'joined', 'dead')),
    since integer not null,
    due integer,
    -- The run or the join that tells of it, or has told.
    carrier text,
    reason text,
    tries integer not null default 0,
    created_at integer not null,
    check ((about = 'child_end') = (child_id is not null and run is not null)),
    check ((about = 'join_over') = (join_id is not null)),
    check ((about = 'message') = (body is not null and when_busy is not null)),
    check ((state = 'owed') = (due is not null)),
    check ((state in ('carried', 'delivered', 'joined')) = (carrier is not null)),
    check ((state in ('held', 'dead')) = (reason is not null))
);
-- The end of a run is owed once.
create unique index callback_run on callback (run) where about = 'child_end';
create index callback_open on callback (session, key) where state in ('owed', 'held');
create index callback_due on callback (due) where state = 'owed';
create index callback_held on callback (since) where state = 'held';
create index callback_carried on callback (carrier) where state = 'carried';
create index callback_session on callback (session, key);
create index callback_state on callback (state, key);

create table child_join (
    key integer primary key autoincrement,
    id text not null unique,
    session integer not null references session (key) on delete cascade,
    tree integer not null,
    kind text not null check (kind in ('all', 'any', 'some', 'first_success')),
    wanted integer not null,
    ended integer not null,
    finished integer not null,
    deadline integer not null,
    outcome text not null check (outcome in ('open', 'met', 'unmet', 'timed_out')),
    ended_at integer,
    check ((outcome = 'open') = (ended_at is null))
);
create index child_join_due on child_join (deadline) where outcome = 'open';
create index child_join_session on child_join (session);

create table child_join_member (
    child_join integer not null references child_join (key) on delete cascade,
    place integer not null,
    child_id text not null,
    run text not null,
    primary key (child_join, place)
);
create index child_join_member_run on child_join_member (run);
