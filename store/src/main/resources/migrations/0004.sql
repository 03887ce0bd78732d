-- 0004_lanes
-- frozen: sqlite d544a149b4d412dd, postgres d544a149b4d412dd
--
-- What runners look at before they claim. Queued runs with the same demands and account are a lane: a
-- claim looks at the first run of each lane, however many wait behind it. The index spells a lane as
-- SqlLanes does: an equals sign before each value that there is, slashes doubled, values separated by
-- a slash and a point.

-- section: up

drop index run_queued;
create index run_lane on run (
    state,
    (coalesce('=' || replace(demand_hostname, '/', '//'), '') || '/.'
        || coalesce('=' || replace(demand_project_dir, '/', '//'), '') || '/.'
        || coalesce('=' || replace(demand_executor_profile, '/', '//'), '') || '/.'
        || coalesce('=' || replace(demand_executor_type, '/', '//'), '') || '/.'
        || coalesce('=' || replace(demand_tags, '/', '//'), '') || '/.'
        || coalesce('=' || replace(account, '/', '//'), '')),
    key) where state = 'queued';
drop index run_held;
create index run_held on run (runner, state) where ended_at is null;
create index session_timed_out on any_session (state, since) where state = 'timed_out';

-- section: down

drop index session_timed_out;
drop index run_held;
create index run_held on run (runner) where ended_at is null;
drop index run_lane;
create index run_queued on run (key) where state = 'queued';
