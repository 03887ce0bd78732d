-- 0001_tables
-- frozen: sqlite 86d84a3a6cc96194, postgres 676236fe32915f6a
--
-- Every table, for both databases. A step has sections: `up` and `down` for both, and `up sqlite`, `up postgres`
-- and so on for what only one of them has (triggers, fill factors). SQLite reads the statements as they are;
-- `Migrations` replaces the types for PostgreSQL.
--
-- `Tables` reads the columns from here, and notes behind them. Behind the name of a table:
--   backup as NAME   a backup holds the rows of the tree's sessions, under this name even if the table is renamed.
--                    Only columns with a note are in it.
-- Behind a column:
--   backup           a backup holds the column, under this name even if a later step renames the column
--   restored         a restore computes the column anew
--   names T.C        the value is the C of a row of T, which the database does not enforce and fsck checks;
--                    `or T.C` adds a second place to look, `while` a condition
--
-- Times are milliseconds since the epoch. A yes or no is 1 or 0.

-- section: up

-- Every session, hidden ones too. Queries that must not see hidden sessions read the view `session`.
create table any_session ( -- backup as sessions
    key integer primary key autoincrement, -- restored
    id text not null unique, -- backup
    name text not null unique, -- backup
    type text not null -- backup
        constraint session_type check (type in ('main', 'subagent', 'wave', 'continuation', 'isolated')),
    -- The parent is stored once, here. The cascade is only a net: removals delete in chunks.
    parent integer references any_session (key) on delete cascade, -- restored
    root integer not null, -- restored
    -- The key of the root it was born under. Never changes, not even when a subtree is detached.
    tree integer not null, -- restored
    -- The keys from the root down to this session, spelt so that a subtree is one range of the index.
    trail text not null unique, -- restored
    depth integer not null constraint session_depth check (depth between 0 and 256), -- restored
    path text not null, -- restored
    state text not null -- backup
        constraint session_state check (state in (
            'pending', 'running', 'idle', 'stopping',
            'finished', 'failed', 'stopped', 'timed_out', 'lost')),
    reason text, -- backup
    since integer not null, -- backup
    deadline integer,
    created_at integer not null, -- backup
    started_at integer, -- backup
    resumed_at integer, -- backup
    ended_at integer, -- backup
    project_dir text, -- backup
    blueprint text, -- backup
    source_app text, -- backup
    metadata text not null, -- backup
    executor_session_id text, -- backup
    executor_profile text, -- backup
    hostname text, -- backup
    depth_max integer, -- backup
    children_max integer, -- backup
    descendants_max integer, -- backup
    runs_max integer, -- backup
    event_bytes_max integer, -- backup
    metadata_bytes_max integer, -- backup
    output_bytes_max integer, -- backup
    processes_max integer, -- backup
    memory_bytes_max integer, -- backup
    living_children integer not null default 0,
    living_below integer not null default 0,
    on_parent_end text not null -- backup
        constraint session_on_parent_end check (on_parent_end in ('stop', 'keep', 'abandon', 'ask')),
    quiet_at integer, -- backup
    fenced_at integer,
    frozen_at integer, -- backup
    abandoned_at integer, -- backup
    -- The removal that covers it.
    removal integer, -- restored; names removal.key
    -- Its own name, while it is hidden and another session uses that name.
    lent_name text, -- restored
    -- The parent it was detached from before the backup it came back from was written.
    came_from text, -- restored
    constraint session_stopping_has_deadline check ((state = 'stopping') = (deadline is not null)),
    constraint session_ended_has_reason check (
        (state in ('finished', 'failed', 'stopped', 'timed_out', 'lost')) = (reason is not null)),
    constraint session_root_has_no_parent check ((parent is null) = (depth = 0))
);
create index session_parent on any_session (parent, key);
create index session_state on any_session (state, key);
create index session_type on any_session (type, key);
create index session_removal on any_session (removal, trail) where removal is not null;
create index session_lent on any_session (lent_name) where lent_name is not null;

create table run ( -- backup as runs
    key integer primary key autoincrement,
    id text not null unique, -- backup
    session integer not null references any_session (key) on delete cascade, -- restored
    tree integer not null, -- restored
    type text not null -- backup
        constraint run_type check (type in ('start_session', 'resume_session')),
    mode text not null -- backup
        constraint run_mode check (mode in ('sync', 'async_poll', 'async_callback')),
    blueprint text, -- backup
    definition text not null, -- backup
    parameters text not null, -- backup
    scope text not null, -- backup
    project_dir text, -- backup
    demand_hostname text, -- backup
    demand_project_dir text, -- backup
    demand_executor_profile text, -- backup
    demand_executor_type text, -- backup
    demand_tags text not null, -- backup
    state text not null -- backup
        constraint run_state check (state in (
            'queued', 'claimed', 'running', 'stopping',
            'finished', 'failed', 'stopped', 'timed_out', 'lost')),
    reason text, -- backup
    since integer not null, -- backup
    deadline integer,
    runner text, -- backup; names runner.id while ended_at is null
    -- Grows with every claim; the number of the live lease while there is one.
    fence integer not null default 0, -- backup
    lease_until integer,
    queued_at integer not null, -- backup
    claimed_at integer, -- backup
    started_at integer, -- backup
    ended_at integer, -- backup
    unmatched_at integer not null, -- backup
    waiting_until integer,
    result_text text, -- backup
    result_data text, -- backup
    -- How long it may be silent, and since when that counts.
    silence_ms integer, -- backup
    heard_at integer,
    lifetime_ms integer, -- backup
    -- The account whose quota it uses.
    account text, -- backup
    -- How often its result was sent back to the agent.
    corrections integer not null default 0, -- backup
    -- The output that its runner stores; null until the runner has reported it.
    output_bytes integer, -- backup
    constraint run_held_has_lease check ((state in ('claimed', 'running', 'stopping')) = (lease_until is not null)),
    constraint run_ended_has_time check (
        (state in ('finished', 'failed', 'stopped', 'timed_out', 'lost')) = (ended_at is not null)),
    constraint run_ended_has_reason check ((ended_at is not null) = (reason is not null))
);
create unique index run_live on run (session) where ended_at is null;
create index run_session on run (session, key);
create index run_state on run (state, key);
create index run_queued on run (key) where state = 'queued';
create index run_unmatched on run (unmatched_at) where state = 'queued';
create index run_leased on run (lease_until) where lease_until is not null;
create index run_held on run (runner) where ended_at is null;
create index run_busy on run (tree) where ended_at is null;
create index run_silence on run (key) where silence_ms is not null and ended_at is null;
create index run_lifetime on run (key) where lifetime_ms is not null and ended_at is null;
create index run_account on run (account) where account is not null and ended_at is null;

create table runner (
    id text primary key,
    hostname text not null,
    project_dir text not null,
    executor_profile text not null,
    executor text not null,
    executor_type text not null,
    tags text not null,
    matching text not null constraint runner_matching check (matching in ('any_run', 'tagged_runs_only')),
    capacity integer not null constraint runner_capacity check (capacity > 0),
    protocol text not null constraint runner_protocol check (protocol in ('fenced', 'original')),
    registered_at integer not null,
    seen_at integer not null
);

-- An account that has met its limit. No run starts on it until the time given.
create table account_hold (
    account text primary key,
    until_at integer not null,
    failures integer not null,
    reason text not null
);

create table event ( -- backup as events
    number integer primary key autoincrement,
    session integer references any_session (key) on delete cascade, -- restored
    tree integer not null, -- restored
    run text, -- backup
    type text not null, -- backup
    at integer not null, -- backup
    body text not null, -- backup
    -- The session's id and trail, for an event about a session that is gone.
    gone_id text,
    gone_trail text,
    constraint event_has_session_or_id check ((session is null) = (gone_id is not null)),
    constraint event_has_session_or_trail check ((session is null) = (gone_trail is not null))
);
create index event_session on event (session, number);
create index event_tree on event (tree, number);

-- The highest event number that retention has deleted.
create table journal_floor (
    one integer primary key constraint journal_floor_one check (one = 1),
    number integer not null
);
insert into journal_floor (one, number) values (1, 0);

create table callback ( -- backup as callbacks
    key integer primary key autoincrement,
    id text not null unique, -- backup
    -- The session it wakes. When the session is purged, the record of the callback stays.
    session integer references any_session (key) on delete set null, -- restored
    session_id text not null, -- restored
    tree integer not null, -- restored
    about text not null -- backup
        constraint callback_about check (about in ('child_end', 'join_over', 'message')),
    child_id text, -- backup; names any_session.id or removal_member.session_id while state in ('owed', 'held', 'carried')
    run text, -- backup
    join_id text, -- backup; names child_join.id while state in ('owed', 'held', 'carried')
    body text, -- backup
    sender text, -- backup
    -- The kind of a notice that the coordinator itself sends, and the session it is about.
    notice text -- backup
        constraint callback_notice check (notice in ('child_removed', 'child_restored', 'parent_ended')),
    notice_about_id text, -- backup
    when_busy text -- backup
        constraint callback_when_busy check (when_busy in ('reject', 'queue', 'interrupt')),
    state text not null -- backup
        constraint callback_state check (state in ('owed', 'held', 'carried', 'delivered', 'joined', 'dead')),
    since integer not null, -- backup
    due integer, -- backup
    -- The run or the join that delivers it, or has delivered it.
    carrier text, -- backup
    reason text, -- backup
    -- The id of the removal that settled it.
    removed_by text, -- backup
    tries integer not null default 0, -- backup
    created_at integer not null, -- backup
    constraint callback_child_end check ((about = 'child_end') = (child_id is not null and run is not null)),
    constraint callback_join_over check ((about = 'join_over') = (join_id is not null)),
    constraint callback_message check ((about = 'message') = (body is not null and when_busy is not null)),
    constraint callback_notice_has_session check ((notice is null) = (notice_about_id is null)),
    constraint callback_owed_has_due check ((state = 'owed') = (due is not null)),
    constraint callback_has_carrier check ((state in ('carried', 'delivered', 'joined')) = (carrier is not null)),
    constraint callback_has_reason check ((state in ('held', 'dead')) = (reason is not null))
);
-- One callback for the end of a run.
create unique index callback_run on callback (run) where about = 'child_end';
create index callback_open on callback (session, key) where state in ('owed', 'held');
create index callback_due on callback (due) where state = 'owed';
create index callback_held on callback (since) where state = 'held';
create index callback_carried on callback (carrier) where state = 'carried';
create index callback_session on callback (session, key);
create index callback_state on callback (state, key);
-- Callbacks owed to purged sessions, to be settled.
create index callback_orphaned on callback (session_id) where session is null and state in ('owed', 'held');

create table child_join ( -- backup as joins
    key integer primary key autoincrement,
    id text not null unique, -- backup
    session integer not null references any_session (key) on delete cascade, -- restored
    tree integer not null, -- restored
    kind text not null -- backup
        constraint child_join_kind check (kind in ('all', 'any', 'some', 'first_success')),
    wanted integer not null, -- backup
    ended integer not null, -- backup
    finished integer not null, -- backup
    deadline integer not null, -- backup
    outcome text not null -- backup
        constraint child_join_outcome check (outcome in ('open', 'met', 'unmet', 'timed_out')),
    ended_at integer, -- backup
    constraint child_join_over_has_time check ((outcome = 'open') = (ended_at is null))
);
create index child_join_due on child_join (deadline) where outcome = 'open';
create index child_join_session on child_join (session);

create table child_join_member ( -- backup as join_members
    child_join integer not null references child_join (key) on delete cascade, -- restored
    place integer not null, -- backup
    child_id text not null, -- backup; names any_session.id or removal_member.session_id while child_join in (select key from child_join where ended_at is null)
    run text not null, -- backup
    primary key (child_join, place)
);
create index child_join_member_run on child_join_member (run);

create table tree_stop ( -- backup as stops
    key integer primary key autoincrement,
    id text not null unique, -- backup
    session integer not null references any_session (key) on delete cascade, -- restored
    root integer not null, -- restored
    deadline_ms integer not null, -- backup
    reason text not null, -- backup
    -- The id of the removal that began it.
    removed_by text, -- backup
    began_at integer not null, -- backup
    ended_at integer -- backup
);
create index tree_stop_open on tree_stop (root) where ended_at is null;
create index tree_stop_session on tree_stop (session);

create table tree_stop_member ( -- backup as stop_members
    tree_stop integer not null references tree_stop (key) on delete cascade, -- restored
    session integer not null references any_session (key) on delete cascade, -- restored
    primary key (tree_stop, session)
);
create index tree_stop_member_session on tree_stop_member (session);

create table budget ( -- backup as budgets
    session integer primary key references any_session (key) on delete cascade, -- restored
    tokens_max integer, -- backup
    cost_micros_max integer, -- backup
    wall_millis_max integer, -- backup
    runs_max integer, -- backup
    sessions_max integer, -- backup
    policy text not null -- backup
        constraint budget_policy check (policy in ('refuse', 'freeze', 'stop')),
    warned text not null -- backup
        constraint budget_warned check (warned in ('no', 'nearly', 'spent')),
    told text not null -- backup
);
create index budget_wall on budget (session) where wall_millis_max is not null and warned <> 'spent';

-- The spending of a session alone, and of the session with all below it.
create table spent ( -- backup as spent
    session integer primary key references any_session (key) on delete cascade, -- restored
    own_tokens integer not null, -- backup
    own_cost_micros integer not null, -- backup
    own_wall_millis integer not null, -- backup
    tokens integer not null, -- backup
    cost_micros integer not null, -- backup
    wall_millis integer not null -- backup
);

-- The bytes that are stored of each tree. Only triggers write to it, so every insert and delete counts.
create table tree_bytes (
    tree integer primary key,
    events integer not null default 0,
    metadata integer not null default 0,
    output integer not null default 0
);

-- The answer to a request that had an Idempotency-Key.
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

-- The removal of a session and all below it.
create table removal (
    key integer primary key autoincrement,
    id text not null unique,
    session integer references any_session (key) on delete set null,
    top_id text not null,
    top_name text not null,
    parent_id text,
    children text not null constraint removal_children check (children in ('cascade', 'detach', 'refuse')),
    running text not null constraint removal_running check (running in ('refuse', 'stop')),
    critical text not null constraint removal_critical check (critical in ('refuse', 'override')),
    purge text not null constraint removal_purge check (purge in ('later', 'now')),
    unreachable text not null constraint removal_unreachable check (unreachable in ('wait', 'abandon')),
    deadline_ms integer not null,
    work text not null constraint removal_work check (work in ('preserve', 'discard')),
    backup text not null constraint removal_backup check (backup in ('yes', 'no')),
    ignored text not null constraint removal_ignored check (ignored in ('list', 'keep', 'skip')),
    directories text not null constraint removal_directories check (directories in ('made', 'all')),
    -- The digest of the unsaved work that the plan showed.
    work_seen text,
    backup_file text,
    backup_sha256 text,
    backup_size integer,
    asked_by text not null,
    reason text,
    confirmed integer not null constraint removal_confirmed check (confirmed in (0, 1)),
    digest text not null,
    -- The rows it takes, as counted for the plan.
    sessions integer not null,
    runs integer not null,
    events integer not null,
    event_bytes integer not null,
    state text not null
        constraint removal_state check (state in (
            'fencing', 'quiescing', 'preserving', 'backing_up', 'detaching', 'hiding', 'hidden', 'restoring',
            'undoing', 'taking_back', 'purging', 'undone', 'taken_back', 'purged')),
    since integer not null,
    why text,
    -- How often the state failed to go on in a row, and when it is tried again.
    tries integer not null,
    next_try_at integer,
    -- Flipping this one value hides a whole tree, or brings it back.
    out_of_sight integer not null constraint removal_out_of_sight check (out_of_sight in (0, 1)),
    -- Counts the announcements to all members; a member with a lower number is still to be told.
    round integer not null default 0,
    began_at integer not null,
    hidden_at integer,
    undo_until integer,
    ended_at integer,
    constraint removal_over_has_time check (
        (ended_at is not null) = (state in ('undone', 'taken_back', 'purged'))),
    constraint removal_hidden_is_out_of_sight check (
        (out_of_sight = 1) = (state in ('hiding', 'hidden', 'restoring', 'purging', 'purged')))
);
create index removal_open on removal (key) where ended_at is null;
create index removal_session on removal (session);

create view session as
select s.* from any_session s
where s.removal is null or not exists (
    select 1 from removal m where m.key = s.removal and m.out_of_sight = 1);

-- The sessions of a removal as they were when it began. The rows outlive the sessions.
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
    told integer not null default 0,
    given_up integer not null default 0
);
create index removal_member_told on removal_member (removal, told, key);
create index removal_member_session on removal_member (session_id, key);
create index removal_member_name on removal_member (name, key);

-- Children that a removal made roots, in order, with the limits and the budget they had before.
create table removal_detached (
    removal integer not null references removal (key) on delete cascade,
    place integer not null,
    session_id text not null,
    session integer references any_session (key) on delete set null,
    own text,
    primary key (removal, place)
);
create index removal_detached_session on removal_detached (session);

-- The directories as they were when a removal was confirmed; compared again behind the fence.
create table confirmed_work (
    removal integer not null references removal (key) on delete cascade,
    host text not null,
    directory text not null,
    fingerprint text not null,
    primary key (removal, host, directory, fingerprint)
);

-- A directory that a session has worked in, and where the output of its runs is.
create table workplace (
    key integer primary key autoincrement,
    session integer not null references any_session (key) on delete cascade,
    host text not null,
    directory text not null,
    made text not null constraint workplace_made check (made in ('by_coppice', 'by_others')),
    outputs text not null,
    unique (session, host, directory, outputs)
);
create index workplace_directory on workplace (host, directory);

-- A directory task for the runners of a host. Inspections belong to no removal.
create table task (
    key integer primary key autoincrement,
    removal integer references removal (key) on delete cascade,
    kind text not null
        constraint task_kind check (kind in ('inspect', 'preserve', 'clean_up', 'delete', 'copy', 'check', 'release')),
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
create index task_open on task (host, key) where ended_at is null;
create index task_removal on task (removal, kind, key);
create index task_inspect on task (asked_at) where kind in ('inspect', 'check');

create table task_place (
    task integer not null references task (key) on delete cascade,
    place integer not null,
    workplace integer not null,
    directory text not null,
    made text not null,
    session_id text not null,
    session_name text not null,
    outputs text not null,
    again integer not null default 0,
    primary key (task, place)
);
create index task_place_directory on task_place (directory);

create table task_run (
    task integer not null references task (key) on delete cascade,
    place integer not null,
    run_id text not null,
    primary key (task, place)
);
create index task_run_run on task_run (run_id);

-- The unsaved work that a task found in one directory, or preserved from it.
create table work_item (
    key integer primary key autoincrement,
    task integer not null references task (key) on delete cascade,
    host text not null,
    directory text not null,
    kind text not null constraint work_item_kind check (kind in ('git', 'plain', 'output', 'processes', 'orphans', 'refs')),
    sessions text not null,
    uncommitted integer not null,
    untracked integer not null,
    stashed integer not null,
    unpushed integer not null,
    ignored integer not null,
    bytes integer not null,
    processes integer not null,
    fingerprint text not null,
    tip text,
    branch text,
    preserved_ref text,
    preserved_repository text,
    preserved_file text,
    preserved_sha256 text,
    preserved_size integer,
    busy text not null,
    notes text not null
);
create index work_item_task on work_item (task, key);

-- One record for each act, with its actor and its session. Numbers have no gaps; each record holds the hash of the one before it.
-- Records outlive the sessions they are about.
create table audit ( -- backup as audit
    number integer primary key, -- backup
    at integer not null, -- backup
    who text not null, -- backup
    who_right text not null, -- backup
    act text not null, -- backup
    session_id text, -- backup
    session_name text, -- backup
    removal_id text, -- backup
    detail text, -- backup
    allowed integer not null constraint audit_allowed check (allowed in (0, 1)), -- backup
    reason text, -- backup
    before_digest text, -- backup
    after_digest text, -- backup
    previous text not null, -- backup
    hash text not null unique -- backup
);
create index audit_session on audit (session_id, number);

-- section: up sqlite

-- Counts the bytes of each tree. A row that is inserted, deleted or changed changes the sum of its tree.
create trigger event_counted after insert on event begin
    insert into tree_bytes (tree, events, metadata, output)
    values (new.tree, octet_length(new.body), 0, 0)
    on conflict (tree) do update set
        events = events + excluded.events, metadata = metadata + excluded.metadata,
        output = output + excluded.output; end;
create trigger event_discounted after delete on event begin
    insert into tree_bytes (tree, events, metadata, output)
    values (old.tree, -octet_length(old.body), 0, 0)
    on conflict (tree) do update set
        events = events + excluded.events, metadata = metadata + excluded.metadata,
        output = output + excluded.output; end;
create trigger session_counted after insert on any_session begin
    insert into tree_bytes (tree, events, metadata, output)
    values (new.tree, 0, octet_length(new.metadata), 0)
    on conflict (tree) do update set
        events = events + excluded.events, metadata = metadata + excluded.metadata,
        output = output + excluded.output; end;
create trigger session_recounted after update of metadata on any_session
when new.metadata <> old.metadata begin
    insert into tree_bytes (tree, events, metadata, output)
    values (new.tree, 0, octet_length(new.metadata) - octet_length(old.metadata), 0)
    on conflict (tree) do update set
        events = events + excluded.events, metadata = metadata + excluded.metadata,
        output = output + excluded.output; end;
create trigger session_discounted after delete on any_session begin
    insert into tree_bytes (tree, events, metadata, output)
    values (old.tree, 0, -octet_length(old.metadata), 0)
    on conflict (tree) do update set
        events = events + excluded.events, metadata = metadata + excluded.metadata,
        output = output + excluded.output; end;
create trigger run_counted after insert on run begin
    insert into tree_bytes (tree, events, metadata, output)
    values (new.tree, 0, octet_length(new.parameters) + coalesce(octet_length(new.result_text), 0)
        + coalesce(octet_length(new.result_data), 0), coalesce(new.output_bytes, 0))
    on conflict (tree) do update set
        events = events + excluded.events, metadata = metadata + excluded.metadata,
        output = output + excluded.output; end;
create trigger run_recounted after update of result_text, result_data, output_bytes on run
when new.result_text is not old.result_text or new.result_data is not old.result_data
    or new.output_bytes is not old.output_bytes begin
    insert into tree_bytes (tree, events, metadata, output)
    values (new.tree, 0,
        coalesce(octet_length(new.result_text), 0) - coalesce(octet_length(old.result_text), 0)
        + coalesce(octet_length(new.result_data), 0) - coalesce(octet_length(old.result_data), 0),
        coalesce(new.output_bytes, 0) - coalesce(old.output_bytes, 0))
    on conflict (tree) do update set
        events = events + excluded.events, metadata = metadata + excluded.metadata,
        output = output + excluded.output; end;
create trigger run_discounted after delete on run begin
    insert into tree_bytes (tree, events, metadata, output)
    values (old.tree, 0, -(octet_length(old.parameters) + coalesce(octet_length(old.result_text), 0)
        + coalesce(octet_length(old.result_data), 0)), -coalesce(old.output_bytes, 0))
    on conflict (tree) do update set
        events = events + excluded.events, metadata = metadata + excluded.metadata,
        output = output + excluded.output; end;
create trigger callback_counted after insert on callback
when new.body is not null begin
    insert into tree_bytes (tree, events, metadata, output)
    values (new.tree, 0, octet_length(new.body), 0)
    on conflict (tree) do update set
        events = events + excluded.events, metadata = metadata + excluded.metadata,
        output = output + excluded.output; end;
create trigger callback_discounted after delete on callback
when old.body is not null begin
    insert into tree_bytes (tree, events, metadata, output)
    values (old.tree, 0, -octet_length(old.body), 0)
    on conflict (tree) do update set
        events = events + excluded.events, metadata = metadata + excluded.metadata,
        output = output + excluded.output; end;
create trigger tree_emptied after update on tree_bytes
when new.events = 0 and new.metadata = 0 and new.output = 0 begin
    delete from tree_bytes where tree = new.tree; end;
create trigger audit_fixed before update on audit begin select raise(abort, 'the audit is only appended to'); end;
create trigger audit_kept before delete on audit begin select raise(abort, 'the audit is only appended to'); end;

-- section: up postgres

-- Counts the bytes of each tree. Only one transaction writes at a time, so a row that is not found can be inserted.
create function count_bytes(of_tree bigint, more_events bigint, more_metadata bigint, more_output bigint)
returns void language plpgsql as $$ begin
    update tree_bytes set events = events + more_events, metadata = metadata + more_metadata,
        output = output + more_output where tree = of_tree; if not found then
        insert into tree_bytes (tree, events, metadata, output)
        values (of_tree, more_events, more_metadata, more_output); end if; end $$;
create function bytes_of(r run) returns bigint language sql immutable as $$
    select octet_length(r.parameters) + coalesce(octet_length(r.result_text), 0)
        + coalesce(octet_length(r.result_data), 0) $$;

-- Rows are inserted one by one, and deleted by the thousand.
create function event_counted() returns trigger language plpgsql as $$ begin
    perform count_bytes(new.tree, octet_length(new.body), 0, 0); return null; end $$;
create trigger event_counted after insert on event for each row execute function event_counted();
create function event_discounted() returns trigger language plpgsql as $$ begin
    perform count_bytes(tree, -sum(octet_length(body)), 0, 0) from gone group by tree; return null; end $$;
create trigger event_discounted after delete on event referencing old table as gone
for each statement execute function event_discounted();
create function session_counted() returns trigger language plpgsql as $$ begin
    perform count_bytes(new.tree, 0, octet_length(new.metadata), 0); return null; end $$;
create trigger session_counted after insert on any_session for each row execute function session_counted();
create function session_recounted() returns trigger language plpgsql as $$ begin
    perform count_bytes(
        new.tree, 0, octet_length(new.metadata) - octet_length(old.metadata), 0); return null; end $$;
create trigger session_recounted after update of metadata on any_session for each row
when (new.metadata <> old.metadata) execute function session_recounted();
create function session_discounted() returns trigger language plpgsql as $$ begin
    perform count_bytes(tree, 0, -sum(octet_length(metadata)), 0) from gone group by tree; return null; end $$;
create trigger session_discounted after delete on any_session referencing old table as gone
for each statement execute function session_discounted();
create function run_counted() returns trigger language plpgsql as $$ begin
    perform count_bytes(new.tree, 0, bytes_of(new), coalesce(new.output_bytes, 0)); return null; end $$;
create trigger run_counted after insert on run for each row execute function run_counted();
create function run_recounted() returns trigger language plpgsql as $$ begin
    perform count_bytes(
        new.tree, 0, bytes_of(new) - bytes_of(old),
        coalesce(new.output_bytes, 0) - coalesce(old.output_bytes, 0)); return null; end $$;
create trigger run_recounted after update of result_text, result_data, output_bytes on run for each row
when (
    new.result_text is distinct from old.result_text
    or new.result_data is distinct from old.result_data
    or new.output_bytes is distinct from old.output_bytes) execute function run_recounted();
create function run_discounted() returns trigger language plpgsql as $$ begin
    perform count_bytes(
        tree, 0, -sum(octet_length(parameters) + coalesce(octet_length(result_text), 0)
            + coalesce(octet_length(result_data), 0)), -sum(coalesce(output_bytes, 0))::bigint)
    from gone group by tree; return null; end $$;
create trigger run_discounted after delete on run referencing old table as gone
for each statement execute function run_discounted();
create function callback_counted() returns trigger language plpgsql as $$ begin
    perform count_bytes(new.tree, 0, octet_length(new.body), 0); return null; end $$;
create trigger callback_counted after insert on callback for each row
when (new.body is not null) execute function callback_counted();
create function callback_discounted() returns trigger language plpgsql as $$ begin
    perform count_bytes(tree, 0, -sum(coalesce(octet_length(body), 0)), 0) from gone group by tree; return null; end $$;
create trigger callback_discounted after delete on callback referencing old table as gone
for each statement execute function callback_discounted();
create function tree_emptied() returns trigger language plpgsql as $$ begin
    delete from tree_bytes where tree = new.tree; return null; end $$;
create trigger tree_emptied after update on tree_bytes for each row
when (new.events = 0 and new.metadata = 0 and new.output = 0) execute function tree_emptied();

create function audit_is_appended() returns trigger language plpgsql as $$ begin raise exception 'the audit is only appended to'; end $$;
create trigger audit_fixed before update or delete on audit for each row execute function audit_is_appended();
create trigger audit_whole before truncate on audit for each statement execute function audit_is_appended();

-- Rows that change often leave room on their page, so that an update needs no new index entry.
alter table any_session set (fillfactor = 80);
alter table run set (fillfactor = 70);
alter table runner set (fillfactor = 50);
alter table task set (fillfactor = 80);
alter table removal set (fillfactor = 80);

-- section: down

drop view session;
drop table audit;
drop table work_item;
drop table task_run;
drop table task_place;
drop table task;
drop table workplace;
drop table confirmed_work;
drop table removal_detached;
drop table removal_member;
drop table removal;
drop table receipt;
drop table tree_bytes;
drop table spent;
drop table budget;
drop table tree_stop_member;
drop table tree_stop;
drop table child_join_member;
drop table child_join;
drop table callback;
drop table journal_floor;
drop table event;
drop table account_hold;
drop table runner;
drop table run;
drop table any_session;

-- section: down postgres

drop function bytes_of(run);
drop function event_counted() cascade;
drop function event_discounted() cascade;
drop function session_counted() cascade;
drop function session_recounted() cascade;
drop function session_discounted() cascade;
drop function run_counted() cascade;
drop function run_recounted() cascade;
drop function run_discounted() cascade;
drop function callback_counted() cascade;
drop function callback_discounted() cascade;
drop function tree_emptied() cascade;
drop function count_bytes(bigint, bigint, bigint, bigint);
drop function audit_is_appended() cascade;

-- section: losses

select count(*), 'sessions, with all that belongs to them' from any_session;
