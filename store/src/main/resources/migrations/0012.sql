-- 0012_bounds
--
-- What keeps work bounded: claims pass over trees that may not run, and a database knows its directory of backups.

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

-- section: down

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
