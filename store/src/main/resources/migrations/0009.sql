-- 0009_registries
-- frozen: sqlite 83f5e9202e399b24, postgres 87195cbe9c69e90f
--
-- A runner may bring blueprints that only it runs. A hook is a session that runs before or after a run.

-- section: up

alter table runner add column agents text;

-- Which hooks its blueprint has: 'before', 'after' or 'both'.
alter table run add column hooks text; -- backup
-- The session that decides whether it may start.
alter table run add column hook text;
-- The session that follows it; empty until it is started.
alter table run add column follower text;
create index run_hooked on run (key) where state = 'hooked';
create index run_hook on run (hook) where hook is not null;
create index run_follower on run (follower) where follower is not null;

-- section: up sqlite

pragma writable_schema = on;
update sqlite_schema set sql = replace(sql, '''queued'', ''claimed''', '''queued'', ''hooked'', ''claimed''')
where type = 'table' and name = 'run';
pragma writable_schema = reset;

-- A hook may change the input of its run.
create trigger run_input_recounted after update of parameters on run when new.parameters <> old.parameters begin
    insert into tree_bytes (tree, events, metadata, output)
    values (new.tree, 0, octet_length(new.parameters) - octet_length(old.parameters), 0)
    on conflict (tree) do update set metadata = metadata + excluded.metadata; end;

-- section: up postgres

create trigger run_input_recounted after update of parameters on run for each row
when (new.parameters <> old.parameters) execute function run_recounted();
alter table run drop constraint run_state;
alter table run add constraint run_state check (state in (
    'queued', 'hooked', 'claimed', 'running', 'stopping', 'finished', 'failed', 'stopped', 'timed_out', 'lost'));

-- section: down

update run set state = 'queued' where state = 'hooked';
drop index run_hooked;
drop index run_hook;
drop index run_follower;
alter table run drop column hooks;
alter table run drop column hook;
alter table run drop column follower;
alter table runner drop column agents;

-- section: down sqlite

drop trigger run_input_recounted;
pragma writable_schema = on;
update sqlite_schema set sql = replace(sql, '''queued'', ''hooked'', ''claimed''', '''queued'', ''claimed''')
where type = 'table' and name = 'run';
pragma writable_schema = reset;

-- section: down postgres

drop trigger run_input_recounted on run;
alter table run drop constraint run_state;
alter table run add constraint run_state check (state in (
    'queued', 'claimed', 'running', 'stopping', 'finished', 'failed', 'stopped', 'timed_out', 'lost'));

-- section: losses

select count(*), 'runners with agents of their own' from runner where agents is not null;
select count(*), 'runs that wait for a hook, and would start without it' from run where state = 'hooked';
select count(*), 'hooks after a run that were not started' from run where follower = '';
