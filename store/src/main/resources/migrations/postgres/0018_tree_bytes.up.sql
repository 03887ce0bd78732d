-- More limits of a session.
alter table any_session add column event_bytes_max bigint;
alter table any_session add column metadata_bytes_max bigint;
alter table any_session add column output_bytes_max bigint;
alter table any_session add column processes_max bigint;
alter table any_session add column memory_bytes_max bigint;
create or replace view session as
select s.* from any_session s
where s.removal is null or not exists (
    select 1 from removal m where m.key = s.removal and m.out_of_sight = 1);
-- What its runner keeps of what it printed; nothing while none has said.
alter table run add column output_bytes bigint;

-- How many bytes are stored of each tree. Only the triggers below write to it, so whatever inserts
-- or deletes is counted.
create table tree_bytes (
    tree bigint primary key,
    events bigint not null default 0,
    metadata bigint not null default 0,
    output bigint not null default 0
);
insert into tree_bytes (tree, events, metadata, output)
select tree, sum(events), sum(metadata), 0 from (
    select tree, octet_length(body) as events, 0 as metadata from event
    union all select tree, 0, octet_length(metadata) from any_session
    union all select tree, 0, octet_length(parameters) + coalesce(octet_length(result_text), 0)
        + coalesce(octet_length(result_data), 0) from run
    union all select tree, 0, coalesce(octet_length(body), 0) from callback) stored
group by tree;

-- Nobody else writes meanwhile, so a row that is not there now is not there when it is inserted.
create function count_bytes(of_tree bigint, more_events bigint, more_metadata bigint, more_output bigint)
returns void language plpgsql as $$ begin
    update tree_bytes set events = events + more_events, metadata = metadata + more_metadata,
        output = output + more_output where tree = of_tree; if not found then
        insert into tree_bytes (tree, events, metadata, output)
        values (of_tree, more_events, more_metadata, more_output); end if; end $$;
create function bytes_of(r run) returns bigint language sql immutable as $$
    select octet_length(r.parameters) + coalesce(octet_length(r.result_text), 0)
        + coalesce(octet_length(r.result_data), 0) $$;

-- Rows come one at a time and go in crowds.
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
