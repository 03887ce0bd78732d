create table session (
    key integer primary key autoincrement,
    id text not null unique,
    name text not null unique,
    type text not null check (type in ('main', 'subagent', 'wave', 'continuation', 'isolated')),
    -- The parent is stored once, here. The cascade is only a net: removals delete in chunks.
    parent integer references session (key) on delete cascade,
    root integer not null,
    -- The key of the tree it was born in; never changes, also when a subtree is detached.
    tree integer not null,
    -- The keys from the root down to this session, in an order-preserving spelling, so that a
    -- subtree is one range of the index.
    trail text not null unique,
    depth integer not null check (depth between 0 and 256),
    path text not null,
    state text not null check (
        state in ('pending', 'running', 'idle', 'stopping', 'finished', 'failed', 'stopped', 'timed_out', 'lost')),
    reason text,
    since integer not null,
    deadline integer,
    created_at integer not null,
    started_at integer,
    resumed_at integer,
    ended_at integer,
    project_dir text,
    blueprint text,
    source_app text,
    metadata text not null,
    executor_session_id text,
    executor_profile text,
    hostname text,
    depth_max integer,
    children_max integer,
    descendants_max integer,
    runs_max integer,
    living_children integer not null default 0,
    living_below integer not null default 0,
    check ((state = 'stopping') = (deadline is not null)),
    check ((state in ('finished', 'failed', 'stopped', 'timed_out', 'lost')) = (reason is not null)),
    check ((parent is null) = (depth = 0))
);
create index session_parent on session (parent, key);
create index session_state on session (state, key);
create index session_type on session (type, key);

create table run (
    key integer primary key autoincrement,
    id text not null unique,
    session integer not null references session (key) on delete cascade,
    tree integer not null,
    type text not null check (type in ('start_session', 'resume_session')),
    mode text not null check (mode in ('sync', 'async_poll', 'async_callback')),
    blueprint text,
    definition text not null,
    parameters text not null,
    scope text not null,
    project_dir text,
    demand_hostname text,
    demand_project_dir text,
    demand_executor_profile text,
    demand_executor_type text,
    demand_tags text not null,
    state text not null check (
        state in ('queued', 'claimed', 'running', 'stopping', 'finished', 'failed', 'stopped', 'timed_out', 'lost')),
    reason text,
    since integer not null,
    deadline integer,
    runner text,
    -- Grows with every claim; the number of the live lease while there is one.
    fence integer not null default 0,
    lease_until integer,
    queued_at integer not null,
    claimed_at integer,
    started_at integer,
    ended_at integer,
    unmatched_at integer not null,
    waiting_until integer,
    result_text text,
    result_data text,
    check ((state in ('claimed', 'running', 'stopping')) = (lease_until is not null)),
    check ((state in ('finished', 'failed', 'stopped', 'timed_out', 'lost')) = (ended_at is not null)),
    check ((ended_at is not null) = (reason is not null))
);
-- A session has one live run at most.
create unique index run_live on run (session) where ended_at is null;
create index run_session on run (session, key);
create index run_state on run (state, key);
create index run_queued on run (key) where state = 'queued';
create index run_unmatched on run (unmatched_at) where state = 'queued';
create index run_leased on run (lease_until) where lease_until is not null;
create index run_held on run (runner) where ended_at is null;
create index run_busy on run (tree) where ended_at is null;

create table event (
    number integer primary key autoincrement,
    session integer not null references session (key) on delete cascade,
    tree integer not null,
    run text,
    type text not null,
    at integer not null,
    body text not null
);
create index event_session on event (session, number);
create index event_tree on event (tree, number);

-- One row: numbers up to the floor may have been forgotten.
create table journal_floor (one integer primary key check (one = 1), number integer not null);
insert into journal_floor (one, number) values (1, 0);

create table runner (
    id text primary key,
    hostname text not null,
    project_dir text not null,
    executor_profile text not null,
    executor text not null,
    executor_type text not null,
    tags text not null,
    matching text not null check (matching in ('any_run', 'tagged_runs_only')),
    capacity integer not null check (capacity > 0),
    protocol text not null check (protocol in ('fenced', 'original')),
    registered_at integer not null,
    seen_at integer not null
);

create table receipt (
    caller text not null,
    key text not null,
    digest text not null,
    status integer not null,
    body text not null,
    at integer not null,
    primary key (caller, key)
);
create index receipt_at on receipt (at);
